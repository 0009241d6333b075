(* What the theorems rest on. *)
Require Import Boards Theorems Guarantees Stages Exact Endings.
Print Assumptions legal_is.
Print Assumptions scores_hold.
Print Assumptions guarantees_hold.
Print Assumptions stages_hold.
Print Assumptions exact_values_hold.
Print Assumptions endings_hold.
