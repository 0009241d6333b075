// Draws the controls that set up a position, on the board or as text.
import { html } from "./drawing.js";
import { text } from "./language.js";
import { rules_of } from "./rules.js";
import { said } from "./said.js";

async function copy_address(status) {
  try {
    await navigator.clipboard.writeText(location.href);
    status.textContent = text("edit.copied");
  } catch {
    status.textContent = text("edit.not_copied");
  }
}

function notation_field({ notation, problem, game, on_look_up }) {
  const field = html("input", {
    id: "notation",
    type: "text",
    value: notation,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    "aria-describedby": "notation_hint notation_problem",
    "aria-invalid": problem ? "true" : null,
  });
  const told = problem ? said(problem) : { lang: null };
  const form = html(
    "form",
    { class: "notation" },
    html("label", { for: "notation" }, text("edit.notation")),
    html("div", { class: "row" }, field, html("button", { type: "submit", class: "go" }, text("edit.go"))),
    html("p", { id: "notation_hint", class: "quiet" }, text("edit.notation_hint")),
    html("p", { id: "notation_problem", class: "said", role: "alert", lang: told.lang }, problem ? told.words || text("problem.gone") : ""),
    rules_of(game),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value.trim() !== "") on_look_up(field.value.trim());
  });
  return form;
}

export function show_edit(host, view) {
  const { editing, drafted, on_start, on_cancel, on_look_up } = view;
  const status = html("span", { class: "quiet", role: "status" });
  const buttons = editing
    ? [
        html("button", { type: "button", class: "primary", id: "edit_done", click: () => on_look_up(drafted) }, text("edit.done")),
        html("button", { type: "button", id: "edit_cancel", click: on_cancel }, text("edit.cancel")),
      ]
    : [
        html("button", { type: "button", id: "edit_start", click: on_start }, text("edit.start")),
        html("button", { type: "button", id: "copy_address", click: () => copy_address(status) }, text("edit.copy")),
      ];
  host.append(
    html("section", { class: "edit", "aria-labelledby": "edit_title" }, html("h2", { id: "edit_title" }, text("edit.title")), html("div", { class: "row" }, buttons, status), notation_field(view)),
  );
}
