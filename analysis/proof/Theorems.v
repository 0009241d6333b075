(* The theorems: tables that pass the check hold the values, and the guarantees, of every board. *)
From Coq Require Import Arith List ZArith Lia Bool Uint63.
Require Import Rules Boards Value Machine Packed Check Sound.
Import ListNotations.
Open Scope Z_scope.

(* Boards with so many seeds or fewer that can come up in play. *)
Definition inside (most : nat) (b : board) : Prop := is_board b /\ reachable b /\ (seeds b <= most)%nat.

Lemma stream_sum at_ s t : (at_ + s + t = at_ + (s + t))%uint63.
Proof. apply int_inj. rewrite !add_spec, Zplus_mod_idemp_l, Zplus_mod_idemp_r. f_equal. lia. Qed.

Lemma no_stream at_ : (at_ + 0 = at_)%uint63.
Proof. apply int_inj. rewrite add_spec. change (to_Z 0) with 0. rewrite Z.add_0_r. apply Z.mod_small, to_Z_bounded. Qed.

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

Lemma inside_closed : closed r (inside most).
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

Lemma judge_not_skip who v d stream g a : judge read who v d stream g a <> skip.
Proof.
  unfold judge. destruct (_ <? v)%uint63; [discriminate |]. destruct (v <? _)%uint63; [discriminate |].
  destruct who; [discriminate | |]; destruct (_ =? d)%uint63; try discriminate;
    match goal with |- (if ?c then _ else _) <> _ => destruct c end; discriminate.
Qed.

Lemma pays_is b : inside most b -> to_Z (pays (packed (own b)) (packed (other b))) = 128 + end_value b.
Proof.
  intros (B & _ & S). destruct (board_rows b B) as (_ & La & Lo). rewrite seeds_rows in S.
  unfold pays, end_value. rewrite sub_spec, add_spec.
  rewrite (count_is (own b) _ (packed_holds _ La ltac:(lia))), (count_is (other b) _ (packed_holds _ Lo ltac:(lia))).
  change (to_Z 128) with 128. rewrite (Z.mod_small (128 + _)) by (rewrite wB_big; lia).
  rewrite Z.mod_small; rewrite ?wB_big; lia.
Qed.

Lemma judge_is who v d stream g c :
  (g <= 48)%nat -> cell stream c <= 176 -> to_Z d < 65536 -> cell (stream + depth_stream) c < 65536 ->
  let j := judge read who v d stream (int_of g) (at_of c) in
  let m := 256 + Z.of_nat g - cell stream c in
  (j = fine \/ j = hit -> m <= to_Z v /\
    (who = the_other -> g = 0%nat -> m = to_Z v -> cell (stream + depth_stream) c + 1 <= to_Z d)) /\
  (j = hit -> m = to_Z v /\ (who <> nobody -> (0 < g)%nat \/ cell (stream + depth_stream) c + 1 = to_Z d)).
Proof.
  intros Hg Hc Hd He j m.
  assert (Ej : j = judge read who v d stream (int_of g) (at_of c)) by reflexivity. clearbody j.
  unfold judge in Ej. rewrite stream_sum in Ej.
  set (mi := (256 + int_of g - read (at_of c + stream))%uint63) in Ej.
  assert (Em : to_Z mi = m).
  { unfold mi, m, cell, Sound.cell in *. pose proof (to_Z_bounded (read (at_of c + stream))).
    rewrite sub_spec, add_spec, int_of_small by lia. change (to_Z 256) with 256.
    rewrite (Z.mod_small (256 + _)) by (rewrite wB_big; lia). apply Z.mod_small. rewrite wB_big. lia. }
  set (q := read (at_of c + (stream + depth_stream))) in Ej.
  assert (Eq : to_Z (q + 1)%uint63 = cell (stream + depth_stream) c + 1).
  { unfold q, cell, Sound.cell in *. rewrite add_spec. change (to_Z 1) with 1.
    pose proof (to_Z_bounded (read (at_of c + (stream + depth_stream)))).
    apply Z.mod_small. rewrite wB_big. lia. }
  destruct (mi <? v)%uint63 eqn:L1.
  { apply ltb_spec in L1. subst j. split; [intros _; split; [lia |]; intros; lia | discriminate]. }
  destruct (v <? mi)%uint63 eqn:L2; [subst j; split; [intros [Q | Q] |]; discriminate |].
  assert (Mv : m = to_Z v).
  { assert (N1 : ~ to_Z mi < to_Z v) by (intro Q; apply ltb_spec in Q; congruence).
    assert (N2 : ~ to_Z v < to_Z mi) by (intro Q; apply ltb_spec in Q; congruence). lia. }
  assert (G0 : (int_of g =? 0)%uint63 = (g =? 0)%nat).
  { destruct (int_of g =? 0)%uint63 eqn:Q; symmetry.
    - apply int_zero in Q. rewrite int_of_small in Q by lia. apply Nat.eqb_eq. lia.
    - apply Nat.eqb_neq. intro. subst g. discriminate. }
  rewrite G0 in Ej. clearbody mi q.
  destruct who; cbn iota beta in Ej.
  - subst j. split; [intros _; split; [lia | discriminate] |]. intros _. split; [exact Mv | intro Q; elim Q; reflexivity].
  - destruct (Nat.eqb_spec g 0) as [Z0 | Z0].
    + destruct (q + 1 =? d)%uint63 eqn:L3.
      * apply eqb_spec in L3. subst d. subst j. split; [intros _; split; [lia | discriminate] |].
        intros _. split; [exact Mv |]. intros _. right. lia.
      * destruct (d <? q + 1)%uint63; subst j; (split; [| discriminate]); intros [Q | Q]; try discriminate.
        split; [lia | discriminate].
    + destruct (1 =? d)%uint63; [| destruct (d <? 1)%uint63]; subst j; split; try discriminate;
        intros; (split; [lia | try discriminate; intros; left; lia]).
  - destruct (Nat.eqb_spec g 0) as [Z0 | Z0].
    + destruct (q + 1 =? d)%uint63 eqn:L3.
      * apply eqb_spec in L3. subst d. subst j. split; [intros _; split; [lia | intros; lia] |].
        intros _. split; [exact Mv |]. intros _. right. lia.
      * destruct (q + 1 <? d)%uint63 eqn:L4; subst j; (split; [| discriminate]); intros [Q | Q]; try discriminate.
        apply ltb_spec in L4. split; [lia | intros; lia].
    + destruct (1 =? d)%uint63; [| destruct (1 <? d)%uint63]; subst j; split; try discriminate;
        intros; (split; [lia | intros; try lia; left; lia]).
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
    destruct (ranges c Hc). unfold verdict_of. rewrite E. cbn [fst snd]. apply judge_is; auto.
    exact (captured_few b p g c Hb Hp E). }
  pose proof (judge_moves_is r b B ltac:(lia) _ (judge_not_skip who v d stream) (is_end v d)) as C.
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
  - apply inside_closed.
  - intros c Hc. apply (order_decided _ _ _ _ _ (O c Hc)).
  - intros c Hc. specialize (O c Hc). destruct O as [Oe Od Oa Oh Os].
    assert (K : forall c', value_in c' = cell 0 c' - 128) by reflexivity.
    replace (0 + depth_stream)%uint63 with depth_stream in * by reflexivity.
    constructor.
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
