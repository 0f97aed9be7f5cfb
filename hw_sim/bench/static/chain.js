// What came of what: every item that was seen, and the way from each to its causes and its consequences.
export class Chain {
  constructor() { this.clear(); }

  clear() {
    this.items = new Map();
    this.children = new Map();
    this.bySeq = new Map();
    this.commands = new Map();
    this.entries = new Map();
    this.last = 0;
  }

  // A thing may come again, once its cause is known.
  add(item) {
    this.items.set(item.id, item);
    this.last = Math.max(this.last, item.id);
    if (item.seq != null && item.layer === "event") this.bySeq.set(item.seq, item.id);
    if (item.layer === "command" && !this.commands.has(item.body.id)) this.commands.set(item.body.id, item.id);
    if (item.layer === "entry") this._said(entryOf(item).id, item.id);
    for (const cause of this.causes(item)) {
      if (!this.children.has(cause)) this.children.set(cause, new Set());
      this.children.get(cause).add(item.id);
    }
  }

  _said(entry, id) {
    const said = this.entries.get(entry) ?? [];
    if (!said.includes(id)) this.entries.set(entry, [...said, id]);
  }

  // The director's command that an event, or a later word on the same command, came of.
  order(item) {
    const id = { event: item.body.command, command: item.body.id }[item.layer];
    const order = id ? this.commands.get(id) : null;
    return order === item.id ? null : order ?? null;
  }

  // What an amended entry said before.
  before(item) {
    if (item.layer !== "entry") return null;
    const said = this.entries.get(entryOf(item).id) ?? [];
    return said[said.indexOf(item.id) - 1] ?? null;
  }

  // What it came of at once; of an entry also every event that is its evidence.
  causes(item) {
    const evidence = item.layer === "entry" ? (entryOf(item)?.evidence ?? []).map((seq) => this.bySeq.get(seq)) : [];
    return [...new Set([item.cause, this.order(item), this.before(item), ...evidence].filter((id) => id != null && this.items.has(id)))];
  }

  // The nearest item of this layer among its causes, itself included, or null.
  ancestor(item, layer) {
    for (let at = item; at; at = this.items.get(at.cause ?? this.order(at))) if (at.layer === layer) return at;
    return null;
  }

  // Everything on a way through this item, as a set of ids.
  through(id) {
    const found = new Set();
    const up = (at) => {
      if (found.has(at) || !this.items.has(at)) return;
      found.add(at);
      this.causes(this.items.get(at)).forEach(up);
    };
    up(id);
    const down = (at) => (this.children.get(at) ?? []).forEach((child) => {
      if (!found.has(child)) { found.add(child); down(child); }
    });
    down(id);
    return found;
  }
}

export const entryOf = (item) => item.body?.entry ?? item.body;
