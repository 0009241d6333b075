(* The theorems: tables that pass the check hold the values, and the guarantees, of every board. *)
From Coq Require Import Arith List ZArith Lia Bool Uint63.
Require Import Value Rules Boards Machine Cells Packed Check Sound.
Import ListNotations.
Open Scope Z_scope.

(* Awari and abapa as games. *)
Coercion auale (r : rules) : game :=
  {| Value.board := board; Value.move := nat; Value.legal := legal r; Value.play := play r; Value.end_value := end_value |}.

(* Boards with so many seeds or fewer that can come up in play. *)
Definition inside (most : nat) (b : board) : Prop := is_board b /\ reachable b /\ (seeds b <= most)%nat.

Lemma add_small x y m n : to_Z x = Z.of_nat m -> to_Z y = Z.of_nat n -> (m + n <= 48)%nat ->
  to_Z (x + y)%uint63 = Z.of_nat (m + n).
Proof. intros Ex Ey H. rewrite add_spec, Ex, Ey, Z.mod_small; rewrite ?wB_big; lia. Qed.

Lemma count_is row x : holds x row -> to_Z (count x) = Z.of_nat (list_sum row).
Proof.
  intros H. pose proof H as [_ L S]. unfold count, pits. cbn [fold_right].
  pose proof (seeds_at_pit x row 0 0 H ltac:(split; [lia | reflexivity])) as E0.
  pose proof (seeds_at_pit x row 8 1 H ltac:(split; [lia | reflexivity])) as E1.
  pose proof (seeds_at_pit x row 16 2 H ltac:(split; [lia | reflexivity])) as E2.
  pose proof (seeds_at_pit x row 24 3 H ltac:(split; [lia | reflexivity])) as E3.
  pose proof (seeds_at_pit x row 32 4 H ltac:(split; [lia | reflexivity])) as E4.
  pose proof (seeds_at_pit x row 40 5 H ltac:(split; [lia | reflexivity])) as E5.
  destruct row as [| x0 [| x1 [| x2 [| x3 [| x4 [| x5 [|]]]]]]]; try discriminate.
  cbn [nth] in *. unfold list_sum in *. cbn [fold_right] in *.
  repeat (apply add_small; [assumption | | lia]). reflexivity.
Qed.

Lemma ranges_are n v d : (n <= 48)%nat -> in_range (int_of n) v d = true ->
  128 - Z.of_nat n <= to_Z v <= 128 + Z.of_nat n /\ to_Z d < 65536.
Proof.
  unfold in_range. intros Hn H. apply andb_prop in H. destruct H as [H H3]. apply andb_prop in H.
  destruct H as [H1 H2]. apply leb_spec in H1. apply leb_spec in H2. apply ltb_spec in H3.
  rewrite sub_spec, int_of_small in H1 by lia. rewrite add_spec, int_of_small in H2 by lia.
  change (to_Z 128) with 128 in *. change (to_Z 65536) with 65536 in H3.
  rewrite Z.mod_small in H1 by (rewrite wB_big; lia). rewrite Z.mod_small in H2 by (rewrite wB_big; lia). lia.
Qed.

Section Theorems.
Variable r : rules.
Variable read : int -> int.
Variable most : nat.
Hypothesis few : (most <= 48)%nat.

Let cell := cell read.

Lemma inside_closed : forall b p, inside most b -> legal r b p -> inside most (snd (play r b p)).
Proof.
  intros b p (Hb & _ & Hs) [[Hp _] _]. destruct (play r b p) as [g c] eqn:E. cbn [snd].
  destruct (play_facts r b p g c Hb Hp E) as (Hc & S & R). repeat split; auto. lia.
Qed.

Lemma quiet_keeps_seeds b p c : inside most b -> legal r b p -> play r b p = (0%nat, c) -> seeds c = seeds b.
Proof. intros (Hb & _) [[Hp _] _] E. destruct (play_facts r b p _ c Hb Hp E) as (_ & S & _). lia. Qed.

Lemma captured_few b p g c : inside most b -> legal r b p -> play r b p = (g, c) -> (g <= 48)%nat.
Proof. intros (Hb & _ & Hs) [[Hp _] _] E. destruct (play_facts r b p _ c Hb Hp E) as (_ & S & _). lia. Qed.

(* --- one cell: what the check of its moves says in numbers ---------------------------------------------- *)

Record in_order (b : board) (who : forcer) (v d : Z) (stream : int) : Prop := {
  order_end : ended r b -> v = 128 + end_value b /\ d = 0;
  order_decided : ended r b \/ exists p, legal r b p;
  order_all : forall p g c, legal r b p -> play r b p = (g, c) -> 256 + Z.of_nat g - cell stream c <= v;
  order_hit : ~ ended r b -> exists p g c, legal r b p /\ play r b p = (g, c) /\
    256 + Z.of_nat g - cell stream c = v /\
    (who <> nobody -> (0 < g)%nat \/ cell (stream + depth_stream) c + 1 = d);
  order_slow : who = the_other -> forall p c, legal r b p -> play r b p = (0%nat, c) ->
    256 - cell stream c = v -> cell (stream + depth_stream) c + 1 <= d }.

Lemma pays_is b : inside most b -> to_Z (pays (packed (own b)) (packed (other b))) = 128 + end_value b.
Proof.
  intros (B & _ & S). destruct (board_rows b B) as (_ & La & Lo). rewrite seeds_rows in S.
  unfold pays, end_value. rewrite sub_spec, add_spec.
  rewrite (count_is (own b) _ (packed_holds _ La ltac:(lia))), (count_is (other b) _ (packed_holds _ Lo ltac:(lia))).
  change (to_Z 128) with 128. rewrite (Z.mod_small (128 + _)) by (rewrite wB_big; lia).
  rewrite Z.mod_small; rewrite ?wB_big; lia.
Qed.

Lemma cell_in_order b who v d stream :
  inside most b -> to_Z v <= 176 -> to_Z d < 65536 ->
  (forall c, inside most c -> cell stream c <= 176 /\ cell (stream + depth_stream) c < 65536) ->
  check_cell r read who v d stream (packed (own b)) (packed (other b)) (moves_of (packed (own b)) pits) = true ->
  in_order b who (to_Z v) (to_Z d) stream.
Proof.
  intros Hb Hv Hd ranges H. pose proof Hb as (B & _ & S).
  assert (J : forall p g c, legal r b p -> play r b p = (g, c) ->
    let j := verdict_of r b (judge read who v d stream) p in
    let m := 256 + Z.of_nat g - cell stream c in
    (j = fine \/ j = hit -> m <= to_Z v /\
      (who = the_other -> g = 0%nat -> m = to_Z v -> cell (stream + depth_stream) c + 1 <= to_Z d)) /\
    (j = hit -> m = to_Z v /\ (who <> nobody -> (0 < g)%nat \/ cell (stream + depth_stream) c + 1 = to_Z d))).
  { intros p g c Hp E. pose proof (inside_closed b p Hb Hp) as Hc. rewrite E in Hc. cbn [snd] in Hc.
    destruct (ranges c Hc) as [Rv Rd]. unfold verdict_of. rewrite E. cbn [fst snd].
    destruct (judge_is read who v d stream g (at_of c) (captured_few b p g c Hb Hp E) Rv Rd) as [Jf Jh].
    unfold cell, Sound.cell. split; intro Q; [destruct (Jf Q) as [M F] | destruct (Jh Q) as [M F]]; (split; [exact M |]).
    - intros Hw Hg Hm. subst g. exact (proj2 (F Hm) Hw).
    - intro Hw. specialize (F Hw). destruct g; [right; exact F | left; lia]. }
  pose proof (judge_moves_is r b B ltac:(lia) _ (judge_not_skip read who v d stream) (is_end v d)) as C.
  unfold check_cell in H.
  destruct (judge_moves _ _ _ _ _ _) eqn:Q in H; try discriminate. rewrite Q in C.
  destruct (C ltac:(discriminate)) as [Ce Ch Ca]. constructor.
  - intro He. specialize (Ce He). unfold is_end in Ce. apply andb_prop in Ce. destruct Ce as [E1 E2].
    apply eqb_spec in E1. apply int_zero in E2. rewrite E1, (pays_is b Hb). auto.
  - apply some_move.
  - intros p g c Hp E. apply (J p g c Hp E). apply Ca, Hp.
  - intro N. destruct (Ch N eq_refl) as (p & Hp & Hh). destruct (play r b p) as [g c] eqn:E. exists p, g, c.
    destruct (J p g c Hp E) as [_ Jh]. destruct (Jh Hh). repeat (split; [assumption |]). assumption.
  - intros Hw q c Hq E M. refine (proj2 (proj1 (J q 0%nat c Hq E) (Ca q Hq)) Hw eq_refl _). change (Z.of_nat 0) with 0. lia.
Qed.

Definition all_slices (what : kind) : Prop := forall n, (n <= most)%nat -> check_slice r read what n = true.

Lemma boards_pass what : all_slices what -> forall b, inside most b ->
  check_board r read what (int_of (seeds b)) b = true.
Proof. intros H b (B & R & S). eapply check_slice_meets; eauto. lia. Qed.

(* --- scores ---------------------------------------------------------------------------------------------- *)

(* The value of a board in a table, and its depth. *)
Definition value_in (b : board) : Z := cell 0 b - 128.
Definition depth_in (b : board) : nat := Z.to_nat (cell depth_stream b).

Lemma scores_in_range : all_slices scores -> forall b, inside most b ->
  (- Z.of_nat (seeds b) <= value_in b <= Z.of_nat (seeds b)) /\ cell depth_stream b < 65536.
Proof.
  intros H b Hb. pose proof (boards_pass scores H b Hb) as C. destruct Hb as (B & R & S).
  unfold check_board, check_one, check_score in C. apply andb_prop in C. destruct C as [C _]. apply andb_prop in C.
  destruct C as [C _]. apply ranges_are in C; [| lia].
  unfold value_in, cell, Sound.cell. rewrite no_stream. lia.
Qed.

Theorem scores_hold : all_slices scores -> is_value r (inside most) value_in.
Proof.
  intro H.
  assert (O : forall b, inside most b -> in_order b
    (if value_in b =? 0 then nobody else if value_in b <? 0 then the_other else the_mover)
    (128 + value_in b) (cell depth_stream b) 0).
  { intros b Hb. pose proof (scores_in_range H b Hb) as [V D]. pose proof (boards_pass scores H b Hb) as C.
    pose proof Hb as (B & R & S).
    unfold check_board, check_one, check_score in C. apply andb_prop in C. destruct C as [_ C].
    replace (128 + value_in b) with (to_Z (read (at_of b))).
    2: { unfold value_in, cell, Sound.cell. rewrite no_stream. lia. }
    assert (W : (if (read (at_of b) =? 128)%uint63 then nobody else if (read (at_of b) <? 128)%uint63 then the_other else the_mover)
      = (if value_in b =? 0 then nobody else if value_in b <? 0 then the_other else the_mover)).
    { unfold value_in, cell, Sound.cell. rewrite no_stream.
      destruct (read (at_of b) =? 128)%uint63 eqn:E1.
      - apply eqb_spec in E1. rewrite E1. reflexivity.
      - destruct (Z.eqb_spec (to_Z (read (at_of b)) - 128) 0) as [E2 | E2].
        + assert (Q : read (at_of b) = 128%uint63) by (apply int_inj; change (to_Z 128) with 128; lia).
          rewrite Q in E1. discriminate.
        + destruct (read (at_of b) <? 128)%uint63 eqn:E3.
          * apply ltb_spec in E3. change (to_Z 128) with 128 in E3.
            destruct (Z.ltb_spec (to_Z (read (at_of b)) - 128) 0); [reflexivity | lia].
          * destruct (Z.ltb_spec (to_Z (read (at_of b)) - 128) 0); [| reflexivity].
            assert (Q : (read (at_of b) <? 128)%uint63 = true)
              by (apply ltb_spec; change (to_Z 128) with 128; lia). congruence. }
    rewrite W in C. unfold cell, Sound.cell in *. apply cell_in_order; auto.
    - unfold value_in, cell, Sound.cell in V. rewrite no_stream in V. lia.
    - intros c Hc. destruct (scores_in_range H c Hc) as [V' D']. pose proof Hc as (_ & _ & S').
      unfold value_in in V'. unfold cell in *.
      replace (0 + depth_stream)%uint63 with depth_stream by reflexivity. split; [lia | exact D']. }
  intros b k Hb Hk.
  apply (local_forces r value_in value_in depth_in depth_in (fun _ => 0)) with (inside := inside most) (most := 48);
    auto; try lia.
  - exact inside_closed.
  - intros c Hc. apply (order_decided _ _ _ _ _ (O c Hc)).
  - intros c Hc. specialize (O c Hc). destruct O as [Oe Od Oa Oh Os].
    assert (K : forall c', value_in c' = cell 0 c' - 128) by reflexivity.
    replace (0 + depth_stream)%uint63 with depth_stream in * by reflexivity.
    constructor; cbn [auale Value.legal Value.play Value.end_value].
    + intro He. destruct (Oe He). lia.
    + intros p g c' Hp E. specialize (Oa p g c' Hp E). rewrite (K c'). lia.
    + intros N V. destruct (Oh N) as (p & g & c' & Hp & E & M & Q). exists p, g, c'.
      rewrite (K c'). repeat (split; [auto; lia |]).
      destruct (Z.eqb_spec (value_in c) 0); [lia |]. destruct (Z.ltb_spec (value_in c) 0); [lia |].
      destruct Q as [Q | Q]; [discriminate | auto | right; unfold depth_in].
      pose proof (to_Z_bounded (read (at_of c' + depth_stream))). unfold cell, Sound.cell in *. lia.
    + intros N. destruct (Oh N) as (p & g & c' & Hp & E & M & _). exists p, g, c'.
      rewrite (K c'). repeat (split; [auto |]). lia.
    + intros p c' Hp E V M. destruct (Z.eqb_spec (value_in c) 0); [lia |].
      destruct (Z.ltb_spec (value_in c) 0); [| lia].
      specialize (Os eq_refl p c' Hp E). rewrite (K c') in M. specialize (Os ltac:(lia)).
      unfold depth_in. pose proof (to_Z_bounded (read (at_of c' + depth_stream))). unfold cell, Sound.cell in *. lia.
  - intros c Hc. destruct (scores_in_range H c Hc) as [V _]. destruct Hc as (_ & _ & S). lia.
Qed.
End Theorems.
