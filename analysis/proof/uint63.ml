(* Turns machine integers of Coq into those of OCaml. The extracted check calls this for its constants. *)
let of_int (x : int) = x
