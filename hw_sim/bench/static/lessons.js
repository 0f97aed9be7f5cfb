// Cases that happened, as lessons: choose one, it plays, and three sentences say what to see.
import { byId, make } from "./dom.js";
import { post } from "./wire.js";
import { lang, say } from "./words.js";

const text = (words) => (lang === "en" ? words.en : words.zh);

// `01b`, and whose rules where the same is told under several.
function short(play, lesson) {
  const [name] = play.id.split("-");
  const alike = lesson.plays.filter(({ id }) => id.split("-")[0] === name);
  return alike.length > 1 ? `${name} ${play.regulations}` : name;
}

// As quick as an eye can follow: a second and a half from one deed to the next.
const PACE = 6;
const QUICK = { "09": 20 }; // a whole match

export class Lessons {
  // `onBegin`: a lesson has been laid out; it waits until somebody plays it.
  constructor(lessons, onBegin) {
    this.onBegin = onBegin;
    this.lessons = lessons;
    const list = make("ol", { class: "lesson-list" });
    for (const lesson of lessons) {
      list.append(make("li", {},
        make("span", { class: "n", "aria-hidden": "true", text: lesson.id }),
        make("span", { class: "lesson-title", text: text(lesson.title) }),
        make("span", { class: "plays" }, ...lesson.plays.map((play, index) => make("button", {
          type: "button", data: { lesson: lesson.id, play: play.id }, title: play.shows,
          "aria-label": say("lessons.play", { n: short(play, lesson), title: text(lesson.title) }),
          on: { click: () => this._play(lesson.id, index) },
        }, make("span", { "aria-hidden": "true", text: `▶ ${short(play, lesson)}` }))))));
    }
    byId("lessons").append(
      make("header", {}, make("h2", { id: "lessons-title", text: say("lessons.title") }),
        make("form", { method: "dialog" }, make("button", { class: "quiet", text: say("setup.close") }))),
      make("p", { class: "hint", text: say("lessons.lead_in") }), list);
    byId("lessons-open").addEventListener("click", () => byId("lessons").showModal());
    byId("lesson-end").addEventListener("click", () => post("/api/control", { do: "stop" }));
  }

  async _play(lesson, play) {
    if (await post("/api/control", { do: "lesson", lesson, play, pace: QUICK[lesson] ?? PACE, paused: true })) {
      byId("lessons").close();
      this.onBegin();
    }
  }

  session({ playing }) {
    const lesson = this.lessons.find(({ id }) => id === playing.lesson);
    byId("lesson").hidden = !lesson;
    const key = lesson ? `${lesson.id} ${lang}` : "";
    if (byId("lesson").dataset.shown === key) return;
    byId("lesson").dataset.shown = key;
    if (!lesson) return;
    byId("lesson-title").textContent = `${lesson.id} · ${text(lesson.title)}`;
    byId("lesson-see").replaceChildren(...lesson.see.map((sentence) => make("li", { text: text(sentence) })));
  }
}
