(* The theorem about bounds: tables that pass the check hold what each side is guaranteed by finite play. *)
From Coq Require Import Arith List ZArith Lia Bool Uint63.
Require Import Value Rules Boards Machine Cells Packed Check Sound Theorems.
Import ListNotations.
Open Scope Z_scope.

Section Guarantees.
Variable r : rules.
Variable read : int -> int.
Variable most : nat.
Hypothesis few : (most <= 48)%nat.

Let cell := cell read.

(* What the mover of a board is guaranteed, and what the other side leaves him at most. *)
Definition lower_in (b : board) : Z := cell 0 b - 128.
Definition upper_in (b : board) : Z := cell upper_stream b - 128.
Definition depth_lower_in (b : board) : nat := Z.to_nat (cell depth_stream b).
Definition depth_upper_in (b : board) : nat := Z.to_nat (cell (upper_stream + depth_stream) b).

Lemma read_at s b : read (at_of b + s + depth_stream)%uint63 = read (at_of b + (s + depth_stream))%uint63.
Proof. rewrite stream_sum. reflexivity. Qed.

(* What the check says of a board, cell by cell. *)
Lemma board_passes : all_slices r read most bounds -> forall b, inside most b ->
  let n := int_of (seeds b) in
  let v := read (at_of b + 0) in let d := read (at_of b + depth_stream) in
  let w := read (at_of b + upper_stream) in let e := read (at_of b + (upper_stream + depth_stream)) in
  let x := packed (own b) in let y := packed (other b) in
  in_range n v d = true /\ in_range n w e = true /\
  check_cell r read (if v =? 128 - n then nobody else the_mover)%uint63 v d upper_stream x y (moves_of x pits) = true /\
  check_cell r read (if w =? 128 + n then nobody else the_other)%uint63 w e 0 x y (moves_of x pits) = true.
Proof.
  intros H b Hb n v d w e x y. pose proof (boards_pass r read most few bounds H b Hb) as C.
  unfold check_board, check_one, check_bounds in C. rewrite read_at in C.
  unfold v, d, w, e, x, y, n. rewrite no_stream.
  apply andb_prop in C. destruct C as [C C6]. apply andb_prop in C. destruct C as [C C5].
  apply andb_prop in C. destruct C as [C _]. apply andb_prop in C. destruct C as [C _].
  apply andb_prop in C. destruct C as [C1 C2]. auto.
Qed.

Lemma bounds_in_range : all_slices r read most bounds -> forall b, inside most b ->
  (- Z.of_nat (seeds b) <= lower_in b <= Z.of_nat (seeds b)) /\ cell depth_stream b < 65536 /\
  (- Z.of_nat (seeds b) <= upper_in b <= Z.of_nat (seeds b)) /\ cell (upper_stream + depth_stream) b < 65536.
Proof.
  intros H b Hb. destruct (board_passes H b Hb) as (C1 & C2 & _). pose proof Hb as (_ & _ & S).
  apply ranges_are in C1; [| lia]. apply ranges_are in C2; [| lia].
  unfold lower_in, upper_in, cell, Sound.cell. lia.
Qed.

Lemma floor_is n v : (n <= 48)%nat ->
  ((v =? 128 - int_of n)%uint63 = true <-> to_Z v - 128 = - Z.of_nat n) /\
  ((v =? 128 + int_of n)%uint63 = true <-> to_Z v - 128 = Z.of_nat n).
Proof.
  intro H.
  assert (E1 : to_Z (128 - int_of n)%uint63 = 128 - Z.of_nat n).
  { rewrite sub_spec, int_of_small by lia. change (to_Z 128) with 128. apply Z.mod_small. rewrite wB_big. lia. }
  assert (E2 : to_Z (128 + int_of n)%uint63 = 128 + Z.of_nat n).
  { rewrite add_spec, int_of_small by lia. change (to_Z 128) with 128. apply Z.mod_small. rewrite wB_big. lia. }
  rewrite !eqb_spec. split; split; intro Q; try (subst v; lia); apply int_inj; lia.
Qed.

Theorem guarantees_hold : all_slices r read most bounds ->
  are_guarantees r (inside most) (fun b => - Z.of_nat (seeds b)) lower_in upper_in.
Proof.
  intro H.
  assert (zero : (0 + depth_stream = depth_stream)%uint63) by reflexivity.
  assert (nonneg : forall s c, 0 <= cell s c) by (intros s c; apply to_Z_bounded).
  assert (O : forall b, inside most b ->
    (exists who, in_order r read b who (128 + lower_in b) (cell depth_stream b) upper_stream /\
       (- Z.of_nat (seeds b) < lower_in b -> who = the_mover)) /\
    (exists who, in_order r read b who (128 + upper_in b) (cell (upper_stream + depth_stream) b) 0 /\
       (upper_in b < Z.of_nat (seeds b) -> who = the_other))).
  { intros b Hb. destruct (board_passes H b Hb) as (R1 & R2 & C1 & C2).
    destruct (bounds_in_range H b Hb) as (V & D & W & E). pose proof Hb as (_ & _ & S).
    replace (128 + lower_in b) with (to_Z (read (at_of b + 0)))
      by (unfold lower_in, cell, Sound.cell; lia).
    replace (128 + upper_in b) with (to_Z (read (at_of b + upper_stream)))
      by (unfold upper_in, cell, Sound.cell; lia).
    destruct (floor_is (seeds b) (read (at_of b + 0)) ltac:(lia)) as [F1 _].
    destruct (floor_is (seeds b) (read (at_of b + upper_stream)) ltac:(lia)) as [_ F2].
    assert (RU : forall c, inside most c ->
      Sound.cell read upper_stream c <= 176 /\ Sound.cell read (upper_stream + depth_stream) c < 65536).
    { intros c Hc. destruct (bounds_in_range H c Hc) as (_ & _ & W' & E'). destruct Hc as (_ & _ & S').
      unfold upper_in, cell in *. split; [lia | exact E']. }
    assert (RL : forall c, inside most c ->
      Sound.cell read 0 c <= 176 /\ Sound.cell read (0 + depth_stream) c < 65536).
    { intros c Hc. destruct (bounds_in_range H c Hc) as (V' & D' & _). destruct Hc as (_ & _ & S').
      rewrite zero. unfold lower_in, cell in *. split; [lia | exact D']. }
    assert (VL : to_Z (read (at_of b + 0)) <= 176) by (unfold lower_in, cell, Sound.cell in V; lia).
    assert (VU : to_Z (read (at_of b + upper_stream)) <= 176) by (unfold upper_in, cell, Sound.cell in W; lia).
    split; eexists; split.
    - exact (cell_in_order r read most few b _ _ _ _ Hb VL D RU C1).
    - intro L. destruct (read (at_of b + 0) =? 128 - int_of (seeds b))%uint63; [| reflexivity].
      pose proof (proj1 F1 eq_refl) as Q. unfold lower_in, cell, Sound.cell in L. lia.
    - exact (cell_in_order r read most few b _ _ _ _ Hb VU E RL C2).
    - intro L. destruct (read (at_of b + upper_stream) =? 128 + int_of (seeds b))%uint63; [| reflexivity].
      pose proof (proj1 F2 eq_refl) as Q. unfold upper_in, cell, Sound.cell in L. lia. }
  intros b k Hb Hk.
  apply (local_forces r lower_in upper_in depth_lower_in depth_upper_in (fun b => - Z.of_nat (seeds b)))
    with (inside := inside most) (most := 48); auto; try lia.
  - exact (inside_closed r most few).
  - intros c Hc. destruct (O c Hc) as [(who & I & _) _]. apply (order_decided _ _ _ _ _ _ _ I).
  - intros c Hc. destruct (O c Hc) as [(lw & [Le _ La Lh _] & Lf) (uw & [Ue _ Ua Uh Us] & Uf)].
    assert (K : forall c', lower_in c' = cell 0 c' - 128 /\ upper_in c' = cell upper_stream c' - 128) by (split; reflexivity).
    constructor; cbn [auale Value.legal Value.play Value.end_value].
    + intro He. destruct (Le He), (Ue He). lia.
    + intros p g c' Hp E. specialize (La p g c' Hp E). specialize (Ua p g c' Hp E). destruct (K c').
      unfold cell in *. lia.
    + intros N V. specialize (Lf V). destruct (Lh N) as (p & g & c' & Hp & E & M & Q). exists p, g, c'.
      split; [exact Hp |]. split; [exact E |]. destruct (K c'). split; [unfold cell in *; lia |].
      destruct Q as [Q | Q]; [congruence | auto | right].
      unfold depth_upper_in, depth_lower_in. pose proof (nonneg (upper_stream + depth_stream)%uint63 c').
      unfold cell in *. lia.
    + intros N. destruct (Uh N) as (p & g & c' & Hp & E & M & _). exists p, g, c'.
      split; [exact Hp |]. split; [exact E |]. destruct (K c'). unfold cell in *. lia.
    + intros p c' Hp E V M. destruct (K c'). specialize (Us (Uf ltac:(lia)) p c' Hp E).
      rewrite zero in Us. unfold cell in *. specialize (Us ltac:(lia)).
      unfold depth_lower_in, depth_upper_in. pose proof (nonneg depth_stream c'). unfold cell in *. lia.
  - intros c p c' Hc Hp E. rewrite (quiet_keeps_seeds r most few c p c' Hc Hp E). reflexivity.
  - intros c Hc. destruct (bounds_in_range H c Hc) as (V & _ & W & _). destruct Hc as (_ & _ & S). lia.
Qed.
End Guarantees.
