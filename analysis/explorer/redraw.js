// Redraws parts of the page without losing the focus.
import { shown } from "./state.js";

export const page = (id) => document.getElementById(id);

/* The element with the focus is redrawn: the focus goes to its successor, or at least into the same part. */
export function keep_focus(host, redraw) {
  const inside = host.contains(document.activeElement) && document.activeElement !== host;
  const buttons = () => [...host.querySelectorAll('button, [role="button"], input, select, a[href]')];
  const name_of = (element) => element.getAttribute("aria-label") ?? element.id;
  const name = inside ? name_of(document.activeElement) : "";
  const place = inside ? buttons().indexOf(document.activeElement) : -1;
  redraw();
  if (!inside) return;
  const now = buttons();
  const same = now.find((element) => name && name_of(element) === name && !element.disabled);
  const next = same ?? (shown.draft ? now[place] : host.querySelector(".best:is(button, [role='button'])")) ?? now[0];
  (next ?? page("heading")).focus({ preventScroll: true });
}

export function redraw_part(id, show, view) {
  const host = page(id);
  keep_focus(host, () => {
    host.replaceChildren();
    show(host, view);
  });
}
