(* Writes the checks as OCaml. Machine integers become OCaml's: both have 63 bits; OCaml compares, divides and
   shifts them with a sign, so these are written out. *)
From Coq Require Import Extraction ExtrOcamlBasic Uint63.
Require Rules Boards Check Doushouqi Placements.
Extraction Language OCaml.
Extract Inlined Constant PrimInt63.int => "int".
Extract Inlined Constant PrimInt63.add => "(+)".
Extract Inlined Constant PrimInt63.sub => "(-)".
Extract Inlined Constant PrimInt63.mul => "( * )".
Extract Inlined Constant PrimInt63.land => "(land)".
Extract Inlined Constant PrimInt63.lor => "(lor)".
Extract Inlined Constant PrimInt63.lsl => "(fun x s -> if 0 <= s && s < 63 then x lsl s else 0)".
Extract Inlined Constant PrimInt63.lsr => "(fun x s -> if 0 <= s && s < 63 then x lsr s else 0)".
Extract Inlined Constant PrimInt63.eqb => "(fun (x : int) y -> x = y)".
Extract Inlined Constant PrimInt63.ltb => "(fun x y -> x lxor min_int < y lxor min_int)".
Extract Inlined Constant PrimInt63.leb => "(fun x y -> x lxor min_int <= y lxor min_int)".
Extract Inlined Constant PrimInt63.div =>
  "(fun x y -> if x >= 0 && y > 0 then x / y else failwith ""division"")".
Extraction "checker.ml" Check.check_slice Boards.moves.
Extraction "placements.ml" Placements.check_material Placements.materials Doushouqi.moves Doushouqi.after.
