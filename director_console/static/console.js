// What every page does: takes changes, tells the time, sends forms once. Plain ES modules, nothing from elsewhere.
import { follow } from "./live.js";
import { tick } from "./clock.js";
import { watchForms } from "./forms.js";
import { fitWall } from "./wall.js";
import { sound } from "./sound.js";

tick();
watchForms(document);
fitWall();
sound();
follow({ changed: (elements) => { elements.forEach((element) => watchForms(element)); tick(); } });
