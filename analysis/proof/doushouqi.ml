(* Finds for the proven check of Dou Shou Qi the slice and the cell at which a position is read. This file needs no
   proof: a cell that is read from a wrong place does not agree with its moves. But the check trusts the store of
   bytes that `read` uses. *)
open Placements

(* --- rule sets --- *)

let base =
  { wolf_over_dog = false; clearings = false; drinkers_block = false; jump_block_path = false; stalemate_loss = false;
    elephant_takes_rat = false; rat_shore_liacs = false; leopard_jumps = Narrow; lakes = Water }

let with_flag rules = function
  | "wolf-over-dog" -> { rules with wolf_over_dog = true }
  | "clearings" -> { rules with clearings = true }
  | "drinkers=block" -> { rules with drinkers_block = true }
  | "jump-block=path" -> { rules with jump_block_path = true }
  | "stalemate=loss" -> { rules with stalemate_loss = true }
  | "elephant-takes-rat" -> { rules with elephant_takes_rat = true }
  | "rat-shore=liacs" -> { rules with rat_shore_liacs = true }
  | "leopard=narrow" -> { rules with leopard_jumps = Narrow }
  | "leopard=wide" -> { rules with leopard_jumps = Wide }
  | "leopard=none" -> { rules with leopard_jumps = Jumpless }
  | "lakes=plain" -> { rules with lakes = Plain }
  | "lakes=drink" -> { rules with lakes = Drink }
  | word -> failwith ("the flag " ^ word)

let liacs =
  List.fold_left with_flag base
    [ "leopard=none"; "jump-block=path"; "stalemate=loss"; "elephant-takes-rat"; "rat-shore=liacs" ]

let rules_of text =
  match String.split_on_char ',' text with
  | "base" :: flags -> List.fold_left with_flag base flags
  | "liacs" :: flags -> List.fold_left with_flag liacs flags
  | _ -> failwith "the rule set"

(* --- moves, to compare with other programs --- *)

let letters = "rcwdptle"
let animal letter = List.nth animals (String.index letters letter)

(* Reads a position such as "R3 c10": the mover's pieces are in upper case, and squares are as the mover sees them. *)
let position_of text =
  let piece word =
    { who = animal (Char.lowercase_ascii word.[0]); on = int_of_string (String.sub word 1 (String.length word - 1)) } in
  let is_own word = Char.uppercase_ascii word.[0] = word.[0] in
  let own, other = List.partition is_own (List.filter (( <> ) "") (String.split_on_char ' ' text)) in
  { own = List.map piece own; other = List.map piece other }

let text_of p =
  let piece change x = Printf.sprintf "%c%d" (change letters.[number x.who]) x.on in
  String.concat " " (List.map (piece Char.uppercase_ascii) p.own @ List.map (piece Fun.id) p.other)

let list_moves rules =
  try
    while true do
      let p = position_of (input_line stdin) in
      print_endline (String.concat "; " (List.map (fun m -> text_of (after p m)) (moves rules p)))
    done
  with End_of_file -> ()

(* --- slices: sets of materials that a bijection of men, perhaps with sides exchanged, maps to each other --- *)

type man = { side : int; kind : animal }

let men (own, other) = List.map (fun kind -> { side = 0; kind }) own @ List.map (fun kind -> { side = 1; kind }) other
let exchanged = List.map (fun man -> { man with side = 1 - man.side })
let ground rules a = List.filter (may_stand rules a) squares

let alike rules =
  let seen a = List.map (fun s -> ways rules a s) (ground rules a) in
  let special = List.exists (fun way -> way.prey = [ Rat ] || way.no_rat <> [] || way.no_other <> []) in
  let rat_is_special = List.exists (fun a -> List.exists special (seen a)) animals in
  let known a = (rat_is_special && a = Rat, ground rules a, seen a) in
  let first_alike a = List.find (fun b -> known a = known b) animals in
  let firsts = List.map (fun a -> (a, first_alike a)) animals in
  fun a b -> List.assoc a firsts = List.assoc b firsts

(* Finds for each man of a slice the place of a corresponding man in a material, or None if the two do not
   correspond. *)
let correspondence rules alike pattern material =
  let agree (x, y) (x', y') =
    x.side = x'.side
    || (takes rules x.kind x'.kind = takes rules y.kind y'.kind && takes rules x'.kind x.kind = takes rules y'.kind y.kind) in
  let rec go pairs chosen = function
    | [] -> Some (List.rev chosen)
    | x :: pattern ->
      let fits j y =
        (not (List.mem j chosen)) && x.side = y.side && alike x.kind y.kind && List.for_all (agree (x, y)) pairs in
      let rec next j = function
        | [] -> None
        | y :: ys -> (
          match if fits j y then go ((x, y) :: pairs) (j :: chosen) pattern else None with
          | None -> next (j + 1) ys
          | found -> found) in
      next 0 material in
  if List.length pattern = List.length material then go [] [] pattern else None

type slice = {
  own : man list; (* in the order of the index *)
  parts : man list list; (* `own` and, unless it corresponds to it, `own` with sides exchanged *)
  mutable members : ((animal list * animal list) * int * int list) list; (* material, part, correspondence *)
}

(* Sorts materials. Slices have the order of their first materials. *)
let in_order rules materials =
  let strongest side = List.sort (fun a b -> compare b a) (List.map (strength rules) side) in
  let key (own, other) = (List.length own + List.length other, - List.length own, strongest other, strongest own) in
  let before m n =
    let pieces, white, theirs, ours = key m and pieces', white', theirs', ours' = key n in
    compare (pieces, white, ours', theirs') (pieces', white', ours, theirs) in
  List.sort before materials

let find_slices rules materials =
  let alike = alike rules in
  let squares_of = List.map (fun a -> (a, List.length (ground rules a))) animals in
  let key man = (List.assoc man.kind squares_of, man.side, - strength rules man.kind) in
  let member material slice =
    let rec go part = function
      | [] -> false
      | pattern :: parts -> (
        match correspondence rules alike pattern (men material) with
        | Some found -> slice.members <- (material, part, found) :: slice.members; true
        | None -> go (part + 1) parts) in
    go 0 slice.parts in
  let add slices material =
    if List.exists (member material) slices then slices
    else begin
      let own = List.sort (fun x y -> compare (key x) (key y)) (men material) in
      let twin = exchanged own in
      let same = correspondence rules alike own twin <> None in
      let slice = { own; parts = (if same then [ own ] else [ own; twin ]); members = [] } in
      ignore (member material slice);
      slice :: slices
    end in
  List.rev (List.fold_left add [] (in_order rules materials))

(* --- cells --- *)

type view = { values : Bytes.t; depths : Bytes.t; shifts : int array }

let most_pieces = 4
let nothing = { values = Bytes.empty; depths = Bytes.empty; shifts = Array.make most_pieces 0 }
let views = Array.make (2 lsl (4 * most_pieces)) nothing

(* Packs the sides and animals of a number that `place` in Placements.v makes: it has ten bits for each piece, four of
   them for side and animal. *)
let code place =
  (place lsr 6) land 0xF lor ((place lsr 12) land 0xF0) lor ((place lsr 18) land 0xF00)
  lor ((place lsr 24) land 0xF000) lor ((place lsr 30) land 0x10000)

let reads = ref 0

let read at =
  incr reads;
  if !reads land 0xFFFFFFF = 0 then Printf.printf "works\n%!";
  let view = Array.unsafe_get views (code at) in
  let square i = ((at lsr (10 * i)) land 63) lsl Array.unsafe_get view.shifts i in
  let i = square 0 lor square 1 lor square 2 lor square 3 in
  if at land (1 lsl 56) = 0 then Char.code (Bytes.get view.values i) else Bytes.get_uint16_le view.depths (2 * i)

let file s = s mod 7
let mirror s = s + 6 - (2 * file s)

(* Calls `use` with each placement in the order of the index. Of the last piece, the squares that make the sum of all
   squares odd come first. *)
let each_placement grounds use =
  let last = Array.length grounds - 1 and square = Array.make (Array.length grounds) 0 in
  let rec place i sum taken =
    if i > last then use square
    else begin
      let may s = (taken lsr s) land 1 = 0 && (i <> 1 || file square.(0) < 3 || file s <= 3) in
      let go s = square.(i) <- s; place (i + 1) (sum lxor s) (taken lor (1 lsl s)) in
      let go_if wanted = List.iter (fun s -> if wanted s && may s then go s) grounds.(i) in
      if i = 0 then (go_if (fun s -> file s < 3); go_if (fun s -> file s = 3))
      else if i < last then go_if (fun _ -> true)
      else (go_if (fun s -> (sum lxor s) land 1 = 1); go_if (fun s -> (sum lxor s) land 1 = 0))
    end in
  place 0 0 0

let taken = ref 0
let next_byte () = incr taken; input_byte stdin

(* Reads the cells of a slice. Each cell is stored at the place of its placement and, unless the mirror image has a cell
   of its own, at the place of the mirror image. *)
let fill rules slice =
  let grounds = Array.of_list (List.map (fun man -> ground rules man.kind) slice.own) in
  let index square change =
    let at = ref 0 in
    Array.iteri (fun i s -> at := !at lor (change s lsl (6 * i))) square;
    !at in
  let stream width get set =
    let free = (1 lsl (8 * width)) - 1 in
    List.map
      (fun _ ->
        let store = Bytes.make (width lsl (6 * Array.length grounds)) '\255' in
        let put cell at =
          if get store (width * at) <> free then failwith "two cells have one place";
          set store (width * at) cell in
        each_placement grounds (fun square ->
            let cell = if width = 1 then next_byte () lxor 128 else (let low = next_byte () in low lor (next_byte () lsl 8)) in
            put cell (index square Fun.id);
            if file square.(0) <> 3 || file square.(1) <> 3 then put cell (index square mirror));
        store)
      slice.parts in
  let values = stream 1 Bytes.get_uint8 Bytes.set_uint8 in
  let depths = stream 2 Bytes.get_uint16_le Bytes.set_uint16_le in
  (values, depths)

let code_of material = List.fold_left (fun n man -> (n lsl 4) lor (man.side lsl 3) lor number man.kind) 1 (men material)

let show slice (values, depths) =
  let show_member (material, part, found) =
    let pieces = List.length found and shifts = Array.make most_pieces 0 in
    List.iteri (fun i j -> shifts.(pieces - 1 - j) <- 6 * i) found;
    views.(code_of material) <- { values = List.nth values part; depths = List.nth depths part; shifts } in
  List.iter show_member slice.members

let hide slice = List.iter (fun (material, _, _) -> views.(code_of material) <- nothing) slice.members

let rec nat n = if n = 0 then O else S (nat (n - 1))

(* Checks all slices up to `most` pieces. Slices with `most` pieces are hidden once they are done, since no other slice
   reads them. *)
let check rules most =
  let materials = materials (nat most) in
  let check_slice i slice =
    show slice (fill rules slice);
    if not (List.for_all (fun ((own, other), _, _) -> check_material rules read own other) slice.members) then begin
      Printf.printf "wrong %d\n%!" i;
      exit 1
    end;
    Printf.printf "holds %d\n%!" i;
    if List.length slice.own = most then hide slice;
    List.map (fun (material, _, _) -> material) slice.members in
  let met = List.concat (List.mapi check_slice (find_slices rules materials)) in
  if List.sort compare met <> List.sort compare materials then failwith "a material was not met";
  !taken
