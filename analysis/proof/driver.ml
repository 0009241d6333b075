(* tauler-proof awari|abapa scores|bounds SEEDS: reads plain cells of tables from standard input, slice by slice, and
   has the proven check go through them. The store of bytes behind `read` is trusted.
   Standard output says first who speaks and what is asked, then "holds 0" ... "holds SEEDS" and "read BYTES", all that
   came, once nothing more comes; or "wrong N" of the first slice that does not pass. "works" means that it goes on.
   tauler-proof awari|abapa moves: reads boards, twelve numbers a line, and lists their moves by the rules.
   Exit codes: 0 all agree, 1 a slice does not, 64 another question, 65 standard input ends early or too late. *)
let bytes_of_cell stream = 1 + (stream land 1)
let shift = 44 (* of a place: below it the cell, above it the stream, the slice and the mover's seeds *)
let stores = Array.make (1 lsl 14) Bytes.empty

let reads = ref 0
let taken = ref 0

let read at =
  incr reads;
  if !reads land 0xFFFFFFF = 0 then Printf.printf "works\n%!";
  let store = stores.(at lsr shift) and i = at land ((1 lsl shift) - 1) in
  if at land (1 lsl 56) = 0 then Char.code (Bytes.get store i) lxor 128 else Bytes.get_uint16_le store (2 * i)

let rec choose n k = if k = 0 then 1 else if n < k then 0 else choose (n - 1) (k - 1) * n / k
let rows k = choose (k + 5) 5
let open_rows k = rows k - choose (k - 1) 5
let slot stream n k = (stream lsl 12) lor (n lsl 6) lor k

(* Cells come as the index has them: by the seeds of the mover's row. *)
let fill n stream =
  for k = 0 to n do
    let bytes = bytes_of_cell stream * rows k * open_rows (n - k) in
    let store = Bytes.create bytes in
    really_input stdin store 0 bytes;
    taken := !taken + bytes;
    stores.(slot stream n k) <- store
  done

(* Depths of a slice are not asked for once it is done. *)
let forget n stream = for k = 0 to n do stores.(slot stream n k) <- Bytes.empty done

let nat n =
  let rec up i made = if i = 0 then made else up (i - 1) (Checker.S made) in
  up n Checker.O

let rec number = function Checker.O -> 0 | Checker.S n -> 1 + number n

let list_moves rules =
  let show (p, (captured, board)) = String.concat " " (List.map string_of_int (p :: captured :: List.map number board)) in
  try
    while true do
      let board = List.map (fun x -> nat (int_of_string x)) (String.split_on_char ' ' (input_line stdin)) in
      let moves = List.map (fun (p, (g, b)) -> (number p, (number g, b))) (Checker.moves rules board) in
      print_endline (String.concat "; " (List.map show moves))
    done
  with End_of_file -> ()

let fail why = prerr_endline ("tauler-proof: " ^ why); exit 65

let check rules bounds most =
  let values, depths = if bounds then ([ 0; 2 ], [ 1; 3 ]) else ([ 0 ], [ 1 ]) in
  for n = 0 to most do
    (try List.iter (fill n) (values @ depths) with End_of_file -> fail "cells are missing");
    if not (Checker.check_slice rules read bounds (nat n)) then (Printf.printf "wrong %d\n%!" n; exit 1);
    List.iter (forget n) depths;
    Printf.printf "holds %d\n%!" n
  done;
  (match input_char stdin with _ -> fail "more cells come than the slices have" | exception End_of_file -> ());
  Printf.printf "read %d\n" !taken

let () =
  set_binary_mode_in stdin true;
  match Array.to_list Sys.argv with
  | [ _; (("awari" | "abapa") as rules); "moves" ] ->
    list_moves (if rules = "abapa" then Checker.Abapa else Checker.Awari)
  | [ _; (("awari" | "abapa") as rules); (("scores" | "bounds") as kind); most ]
    when (match int_of_string_opt most with Some n -> 0 <= n && n <= 48 | None -> false) ->
    Printf.printf "tauler-proof %s %s %s %s\n%!" Version.version rules kind most;
    check (if rules = "abapa" then Checker.Abapa else Checker.Awari) (kind = "bounds") (int_of_string most)
  | _ -> prerr_endline "tauler-proof: awari|abapa scores|bounds SEEDS, or awari|abapa moves"; exit 64
