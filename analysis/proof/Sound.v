(* What the check says of tables: the theorems. *)
From Coq Require Import Arith List ZArith Lia Bool Uint63.
Require Import Rules Boards Machine Cells Packed Check.
Import ListNotations.
Open Scope Z_scope.

(* --- all rows are met ----------------------------------------------------------------------------------- *)

Fixpoint times (d : int) (x : nat) (row : int) : int :=
  match x with O => row | S x' => times d x' (row + d)%uint63 end.
Fixpoint walk (ds : list int) (xs : list nat) (row : int) : int :=
  match ds, xs with
  | d :: ds', x :: xs' => walk ds' xs' (times d x row)
  | _, _ => row
  end.

Lemma all_rows_walk ds f : forall rest row, all_rows ds f rest row = true ->
  forall xs, length xs = length ds -> (list_sum xs <= rest)%nat -> f (walk ds xs row) = true.
Proof.
  induction ds as [| d ds IH]; intros rest row H xs L S.
  - destruct xs; [exact H | discriminate].
  - destruct xs as [| x xs]; [discriminate |]. cbn [walk]. cbn [length] in L.
    change (list_sum (x :: xs)) with (x + list_sum xs)%nat in S.
    cbn [all_rows] in H. revert x row H S. induction rest as [| rest IHrest]; intros x row H S.
    + assert (x = 0)%nat by lia. subst x. cbn [times].
      destruct (all_rows ds f 0 row) eqn:E; [| discriminate].
      apply (IH 0%nat row E xs); lia.
    + destruct (all_rows ds f (Datatypes.S rest) row) eqn:E; [| discriminate].
      destruct x as [| x]; cbn [times].
      * apply (IH _ row E xs); lia.
      * apply IHrest; [exact H | lia].
Qed.

Lemma times_mod d x : forall row, to_Z (times d x row) = (to_Z row + Z.of_nat x * to_Z d) mod wB.
Proof.
  induction x as [| x IH]; intro row; cbn [times].
  - rewrite Z.add_0_r. symmetry. apply Z.mod_small, to_Z_bounded.
  - rewrite IH, add_spec, Zplus_mod_idemp_l. f_equal. lia.
Qed.

Fixpoint total (ds : list int) (xs : list nat) : Z :=
  match ds, xs with
  | d :: ds', x :: xs' => Z.of_nat x * to_Z d + total ds' xs'
  | _, _ => 0
  end.
Lemma walk_mod ds : forall xs row, to_Z (walk ds xs row) = (to_Z row + total ds xs) mod wB.
Proof.
  induction ds as [| d ds IH]; intros [| x xs] row; cbn [walk total];
    try (rewrite Z.add_0_r; symmetry; apply Z.mod_small, to_Z_bounded).
  rewrite IH, times_mod, Zplus_mod_idemp_l. f_equal. lia.
Qed.

Lemma shift_40 n : (n <= 48)%nat -> to_Z (int_of n << 40)%uint63 = Z.of_nat n * 1099511627776.
Proof.
  intro H. rewrite lsl_spec, int_of_small by lia. change (to_Z 40) with 40. change (2 ^ 40) with 1099511627776.
  apply Z.mod_small. rewrite wB_big. lia.
Qed.

Lemma walk_meets row : length row = 6%nat -> (list_sum row <= 48)%nat ->
  walk steps (firstn 5 row) (int_of (list_sum row) << 40)%uint63 = packed row.
Proof.
  intros L S. apply holds_packed. apply int_of_row; auto.
  destruct row as [| x0 [| x1 [| x2 [| x3 [| x4 [| x5 [|]]]]]]]; try discriminate.
  rewrite walk_mod, (shift_40 _ S). cbn [firstn total steps].
  change (to_Z (1 - (1 << 40))%uint63) with (wB + 1 - 1099511627776).
  change (to_Z ((1 << 8) - (1 << 40))%uint63) with (wB + 256 - 1099511627776).
  change (to_Z ((1 << 16) - (1 << 40))%uint63) with (wB + 65536 - 1099511627776).
  change (to_Z ((1 << 24) - (1 << 40))%uint63) with (wB + 16777216 - 1099511627776).
  change (to_Z ((1 << 32) - (1 << 40))%uint63) with (wB + 4294967296 - 1099511627776).
  rewrite Zmod_mod. unfold list_sum. cbn [fold_right pack].
  match goal with |- ?X mod wB = ?Y mod wB =>
    replace X with (Y + Z.of_nat (x0 + x1 + x2 + x3 + x4) * wB) by lia end.
  apply Z.mod_add. rewrite wB_big. lia.
Qed.

Lemma all_rows_meets f k row : (k <= 48)%nat ->
  all_rows steps f k (int_of k << 40)%uint63 = true ->
  length row = 6%nat -> list_sum row = k -> f (packed row) = true.
Proof.
  intros Hk H L S. rewrite <- walk_meets by lia. rewrite S.
  apply (all_rows_walk steps f k); auto; [rewrite firstn_length, L; reflexivity |].
  rewrite <- (firstn_skipn 5 row), list_sum_app in S. lia.
Qed.

Lemma open_not_full row : length row = 6%nat -> (list_sum row <= 48)%nat -> In 0%nat row ->
  is_full (packed row) = false.
Proof.
  intros L S H. destruct (is_full (packed row)) eqn:E; auto. unfold is_full in E. rewrite forallb_forall in E.
  destruct (In_nth row 0%nat 0%nat H) as (p & Hp & Ep). destruct (pit_in p ltac:(lia)) as (s & Hs & Is).
  specialize (E s Hs). rewrite negb_true_iff in E.
  pose proof (seeds_at_pit _ row s p (packed_holds row L S) Is) as Z0. rewrite Ep in Z0.
  apply int_zero in Z0. congruence.
Qed.

Lemma next_start k : (k < 48)%nat ->
  ((int_of k << 40) + (1 << 40))%uint63 = (int_of (S k) << 40)%uint63.
Proof.
  intro H. apply int_inj. rewrite add_spec, !shift_40 by lia.
  change (to_Z (1 << 40)%uint63) with 1099511627776. rewrite Z.mod_small; [lia |]. rewrite wB_big. lia.
Qed.
Lemma start_before k : (k < 48)%nat ->
  ((int_of (S k) << 40) - (1 << 40))%uint63 = (int_of k << 40)%uint63.
Proof.
  intro H. apply int_inj. rewrite sub_spec, !shift_40 by lia.
  change (to_Z (1 << 40)%uint63) with 1099511627776. rewrite Z.mod_small; [lia |]. rewrite wB_big. lia.
Qed.

(* The place of a board in tables. *)
Definition at_of (b : board) : int := place_of (packed (own b)) (part_of (packed (other b))).

Section Slices.
Variable r : rules.
Variable read : int -> int.

Definition check_board (what : kind) (n : int) (b : board) : bool :=
  check_one r read what n (packed (own b)) (packed (other b)) (at_of b) (moves_of (packed (own b)) pits).

Lemma check_group_meets what n k others b : (k + others <= 48)%nat ->
  all_rows steps (check_row (check_one r read what) n others (int_of others << 40)) k (int_of k << 40) = true ->
  is_board b -> reachable b -> list_sum (own b) = k -> list_sum (other b) = others ->
  check_board what n b = true.
Proof.
  intros Hk E Hb Hr Q Qo. destruct (board_rows b Hb) as (_ & La & Lo).
  pose proof (all_rows_meets _ k (own b) ltac:(lia) E La Q) as C. unfold check_row in C.
  apply (all_rows_meets _ others (other b) ltac:(lia)) in C; auto.
  cbv beta in C. rewrite open_not_full in C by (auto; lia). exact C.
Qed.

Lemma groups_step what n k others s t :
  check_groups (check_one r read what) n k others s t = true ->
  all_rows steps (check_row (check_one r read what) n others t) k s = true /\
  forall others', others = S others' ->
    check_groups (check_one r read what) n (S k) others' (s + (1 << 40)) (t - (1 << 40)) = true.
Proof.
  intro H. destruct others; cbn [check_groups] in H;
    (destruct (all_rows steps _ k s); [| discriminate]); split; auto; intros o' Q; inversion Q; subst; exact H.
Qed.

Lemma check_groups_meets what n : forall others k,
  (k + others <= 48)%nat ->
  check_groups (check_one r read what) n k others (int_of k << 40) (int_of others << 40) = true ->
  forall b, is_board b -> reachable b -> (k <= list_sum (own b))%nat -> seeds b = (k + others)%nat ->
  check_board what n b = true.
Proof.
  induction others as [| others IH]; intros k Hk H b Hb Hr Lk Hs;
    destruct (groups_step _ _ _ _ _ _ H) as [E next]; rewrite seeds_rows in Hs.
  - apply (check_group_meets what n k 0 b); auto; lia.
  - destruct (Nat.eq_dec (list_sum (own b)) k) as [Q | Q].
    + apply (check_group_meets what n k (S others) b); auto; lia.
    + specialize (next others eq_refl). rewrite next_start, start_before in next by lia.
      apply (IH (S k) ltac:(lia) next b Hb Hr); [lia |]. rewrite seeds_rows. lia.
Qed.

Lemma machine_is n : (n <= 48)%nat -> machine n = int_of n.
Proof.
  intro H. induction n as [| n IH]; [reflexivity |]. cbn [machine]. rewrite IH by lia.
  apply int_inj. rewrite add_spec, !int_of_small by lia. change (to_Z 1) with 1.
  rewrite Z.mod_small; rewrite ?wB_big; lia.
Qed.

Lemma check_slice_meets what n : (n <= 48)%nat -> check_slice r read what n = true ->
  forall b, is_board b -> reachable b -> seeds b = n -> check_board what (int_of n) b = true.
Proof.
  intros Hn H b Hb Hr Hs. unfold check_slice in H. rewrite machine_is in H by auto.
  apply (check_groups_meets what (int_of n) n 0); auto; lia.
Qed.

Definition cell (stream : int) (b : board) : Z := to_Z (read (at_of b + stream)).
End Slices.

(* --- one cell of a board and its moves ------------------------------------------------------------------ *)

Section Cell.
Variable r : rules.
Variable b : board.
Hypothesis Hb : is_board b.
Hypothesis few : (seeds b <= 48)%nat.
Variable judge : int -> int -> verdict.
Hypothesis judge_not_skip : forall g a, judge g a <> skip.

Let x := packed (own b).
Let y := packed (other b).

Definition verdict_of (p : nat) : verdict :=
  judge (int_of (fst (play r b p))) (at_of (snd (play r b p))).

Lemma rows_hold : holds x (own b) /\ holds y (other b) /\ (list_sum (own b) + list_sum (other b) <= 48)%nat.
Proof.
  destruct (board_rows b Hb) as (_ & La & Lo). rewrite seeds_rows in few.
  split; [| split]; try apply packed_holds; auto; lia.
Qed.

Lemma own_pit p : (p < 6)%nat -> pit b p = nth p (own b) 0%nat.
Proof.
  intro H. destruct (board_rows b Hb) as (R & La & _). unfold pit. rewrite R at 1. apply app_nth1. lia.
Qed.

Lemma look_is feeding s p : is_pit s p -> can_sow b p ->
  look r judge feeding y (move_of x s) =
  if feeding && (list_sum (own (snd (play r b p))) =? 0)%nat then skip else verdict_of p.
Proof.
  intros Hs [Hp Hpos]. destruct rows_hold as (Hx & Hy & Hf). rewrite own_pit in Hpos by auto.
  destruct (board_rows b Hb) as (R & La & Lo).
  pose proof (land_in_is r (own b) (other b) x y s p Hx Hy Hf Hs Hpos) as G.
  pose proof (row_left_holds (own b) (other b) x y s p Hx Hy Hf Hs Hpos) as A.
  assert (P : play r b p = (fst (taken r (own b) (other b) p),
                            snd (taken r (own b) (other b) p) ++ row_after (own b) p)).
  { rewrite R at 1. apply play_rows; auto. }
  unfold look, verdict_of. rewrite P. cbn [fst snd].
  destruct (taken_facts r (own b) (other b) p La Lo Hp) as [Lt St].
  destruct (land_in r (move_of x s) y) as [g left]. destruct G as [Eg El].
  rewrite own_app by auto.
  unfold at_of. rewrite own_app, other_app by auto.
  rewrite <- (holds_packed left _ El). cbn [move_of after].
  rewrite <- (holds_packed _ _ A).
  assert (Q : g = int_of (fst (taken r (own b) (other b) p))).
  { apply int_inj. rewrite int_of_small; [exact Eg |].
    pose proof (sum_row_after (own b) (other b) p La Lo Hp). lia. }
  rewrite <- Q. pose proof (row_zero left _ El) as Z0.
  replace (left =? 0)%uint63 with (list_sum (snd (taken r (own b) (other b) p)) =? 0)%nat; [reflexivity |].
  destruct (Nat.eqb_spec (list_sum (snd (taken r (own b) (other b) p))) 0) as [E | E]; symmetry.
  - apply Z0. exact E.
  - destruct (left =? 0)%uint63 eqn:F; auto. elim E. apply Z0. reflexivity.
Qed.

Lemma moves_are ss m : In m (moves_of x ss) <-> exists s, In s ss /\ (seeds_at x s =? 0)%uint63 = false /\ m = move_of x s.
Proof.
  induction ss as [| s ss IH]; cbn [moves_of].
  - split; [contradiction | intros (s & H & _); contradiction].
  - destruct (seeds_at x s =? 0)%uint63 eqn:E; [rewrite IH | cbn [In]; rewrite IH]; split.
    + intros (t & H & F & G). exists t. cbn [In]. auto.
    + intros (t & [H | H] & F & G); [subst t; congruence | exists t; auto].
    + intros [H | (t & H & F & G)]; [exists s | exists t]; cbn [In]; auto.
    + intros (t & [H | H] & F & G); [left; subst t; auto | right; exists t; auto].
Qed.

Lemma sowable s p : is_pit s p -> ((seeds_at x s =? 0)%uint63 = false <-> can_sow b p).
Proof.
  intro Hs. destruct rows_hold as (Hx & _ & _). pose proof (seeds_at_pit x (own b) s p Hx Hs) as E.
  destruct Hs as [Hp _]. rewrite <- own_pit in E by auto. unfold can_sow.
  destruct (seeds_at x s =? 0)%uint63 eqn:Q; split; intro H; try discriminate; auto.
  - apply int_zero in Q. lia.
  - split; auto. destruct (pit b p); [| lia]. change (Z.of_nat 0) with 0 in E. apply int_zero in E. congruence.
Qed.

(* The moves of a board, as list and as pits. *)
Lemma move_at p : can_sow b p -> exists s, is_pit s p /\ In (move_of x s) (moves_of x pits).
Proof.
  intro H. destruct (pit_in p (proj1 H)) as (s & Hs & Is). exists s. split; auto.
  apply moves_are. exists s. repeat split; auto. apply (sowable s p); auto.
Qed.
Lemma pit_of m : In m (moves_of x pits) -> exists s p, is_pit s p /\ can_sow b p /\ m = move_of x s.
Proof.
  intro H. apply moves_are in H. destruct H as (s & Hs & E & Q). destruct (pits_are s Hs) as (p & Is).
  exists s, p. split; [exact Is |]. split; [apply (sowable s p Is) |]; auto.
Qed.

Lemma verdicts p : verdict_of p <> wrong -> verdict_of p = fine \/ verdict_of p = hit.
Proof.
  unfold verdict_of. pose proof (judge_not_skip (int_of (fst (play r b p))) (at_of (snd (play r b p)))).
  destruct (judge _ _); tauto.
Qed.

Lemma feeds_is p : feeds r b p <-> (list_sum (own (snd (play r b p))) =? 0)%nat = false.
Proof. unfold feeds. rewrite Nat.eqb_neq. lia. Qed.

(* What verdicts on moves say of a board that is not wrong. *)
Record judged (ends : int -> bool) (found : verdict) : Prop := {
  judged_end : ended r b -> ends (pays x y) = true;
  judged_hit : ~ ended r b -> found = hit -> exists p, legal r b p /\ verdict_of p = hit;
  judged_all : forall p, legal r b p -> verdict_of p = fine \/ verdict_of p = hit }.

Lemma judged_by_move ends found p0 : legal r b p0 ->
  (found = hit -> exists p, legal r b p /\ verdict_of p = hit) ->
  (forall p, legal r b p -> verdict_of p = fine \/ verdict_of p = hit) -> judged ends found.
Proof. intros Hp Hh Ha. constructor; auto. intro He. elim (He p0 Hp). Qed.

Lemma judged_by_end ends found : ended r b -> ends (pays x y) = true -> judged ends found.
Proof. intros He E. constructor; auto; [contradiction | intros p Hp; elim (He p Hp)]. Qed.

Lemma ends_is (ends : int -> bool) : (if ends (pays x y) then hit else wrong) <> wrong -> ends (pays x y) = true.
Proof. destruct (ends (pays x y)); congruence. Qed.

Lemma judge_moves_is ends : let found := judge_moves r judge ends x y (moves_of x pits) in
  found <> wrong -> judged ends found.
Proof.
  unfold judge_moves.
  destruct (scan_is (look r judge true y) (moves_of x pits) skip ltac:(discriminate)) as (A & B & C & D).
  assert (none_feeds : scan (look r judge true y) (moves_of x pits) skip = skip -> forall p, can_sow b p -> ~ feeds r b p).
  { intros Q p Hp Hf. destruct (move_at p Hp) as (s & Is & Im). pose proof (proj2 (C Q) _ Im) as E.
    rewrite (look_is true s p Is Hp) in E. apply feeds_is in Hf. rewrite Hf in E. cbn [andb] in E.
    exact (judge_not_skip _ _ E). }
  assert (some_feeds : scan (look r judge true y) (moves_of x pits) skip <> skip ->
    scan (look r judge true y) (moves_of x pits) skip <> wrong ->
    judged ends (scan (look r judge true y) (moves_of x pits) skip)).
  { intros Q W. destruct (D Q) as [Z | (m & Im & E)]; [congruence |].
    destruct (pit_of m Im) as (s & p & Is & Hp & ->). rewrite (look_is true s p Is Hp) in E.
    destruct (list_sum (own (snd (play r b p))) =? 0)%nat eqn:F; [elim E; reflexivity |].
    apply feeds_is in F. apply (judged_by_move _ _ p); [split; auto | |].
    - intro H. destruct (B H) as [Z | (m' & Im' & E')]; [discriminate |].
      destruct (pit_of m' Im') as (s' & p' & Is' & Hp' & ->). rewrite (look_is true s' p' Is' Hp') in E'.
      destruct (list_sum (own (snd (play r b p'))) =? 0)%nat eqn:F'; [discriminate |].
      apply feeds_is in F'. exists p'. split; [split; auto | exact E'].
    - intros q [Hq [Hf | [_ none]]]; [| elim (none p Hp F)].
      apply verdicts. destruct (move_at q Hq) as (t & It & Imt).
      pose proof (A W _ Imt) as V. rewrite (look_is true t q It Hq) in V.
      apply feeds_is in Hf. rewrite Hf in V. exact V. }
  destruct (scan (look r judge true y) (moves_of x pits) skip) eqn:S0; cbv zeta; intro W;
    try (apply some_feeds; congruence).
  pose proof (none_feeds eq_refl) as N. assert (Er : r = awari \/ r = abapa) by (destruct r; auto).
  destruct Er as [Er | Er]; rewrite Er in W |- *.
  - destruct (scan_is (look r judge false y) (moves_of x pits) skip ltac:(discriminate)) as (A' & B' & C' & D').
    rewrite Er in A', B', C', D'.
    assert (K : forall p s, is_pit s p -> can_sow b p -> look awari judge false y (move_of x s) = verdict_of p).
    { intros p s Is Hp. pose proof (look_is false s p Is Hp) as E. rewrite Er in E. exact E. }
    assert (L : forall p, can_sow b p -> legal r b p) by (intros p Hp; split; [exact Hp | right; auto]).
    destruct (scan (look awari judge false y) (moves_of x pits) skip) eqn:S1; [| congruence | |].
    1: { apply judged_by_end; [| apply ends_is, W]. intros p [Hp _]. destruct (move_at p Hp) as (s & Is & Im).
      pose proof (proj2 (C' eq_refl) _ Im) as E. rewrite (K p s Is Hp) in E. exact (judge_not_skip _ _ E). }
    all: destruct (D' ltac:(discriminate)) as [Z | (m & Im & _)]; [congruence |];
      destruct (pit_of m Im) as (s & p & Is & Hp & ->); apply (judged_by_move _ _ p); auto.
    2, 4: intros q [Hq _]; apply verdicts; destruct (move_at q Hq) as (t & It & Imt); rewrite <- (K q t It Hq);
      apply A'; auto; discriminate.
    all: intro H; destruct (B' H) as [Z | (m' & Im' & E')]; [discriminate |];
      destruct (pit_of m' Im') as (s' & p' & Is' & Hp' & ->); exists p'; rewrite (K p' s' Is' Hp') in E'; auto.
  - apply judged_by_end; [| apply ends_is, W]. intros p [Hp [Hf | [Q _]]]; [exact (N p Hp Hf) | congruence].
Qed.
End Cell.
