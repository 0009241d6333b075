(* Rows in machine integers do what the rules say. *)
From Coq Require Import Arith List ZArith Lia Bool Uint63.
Require Import Rules Boards Machine Cells.
Import ListNotations.
Open Scope Z_scope.


(* --- a row as a number --------------------------------------------------------------------------------- *)

Fixpoint pack (row : list nat) : Z :=
  match row with
  | [] => 0
  | x :: row' => Z.of_nat x + 256 * pack row'
  end.

(* The integer of a row. *)
Definition packed (row : list nat) : int := of_Z (pack row).

Lemma pack_bound row : Forall (fun x => x < 256)%nat row ->
  0 <= pack row < 256 ^ Z.of_nat (length row).
Proof.
  induction 1 as [| x row H F IH]; [simpl; lia |].
  cbn [pack length]. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. lia.
Qed.

Lemma pack_add a b : length a = length b -> pack (add a b) = pack a + pack b.
Proof. revert b; induction a; destruct b; cbn [pack add length]; intros; try lia. rewrite IHa by lia. lia. Qed.

Lemma pack_put i x row : (i < length row)%nat ->
  pack (put i x row) = pack row + (Z.of_nat x - Z.of_nat (nth i row 0%nat)) * 256 ^ Z.of_nat i.
Proof.
  revert i; induction row; destruct i; cbn [pack put length nth]; intros; try lia.
  rewrite IHrow by lia. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. lia.
Qed.

Lemma pack_digit row : Forall (fun x => x < 256)%nat row -> forall i,
  (pack row / 256 ^ Z.of_nat i) mod 256 = Z.of_nat (nth i row 0%nat).
Proof.
  induction 1 as [| x row H F IH]; intros i.
  - cbn [pack]. rewrite Z.div_0_l by lia. destruct i; reflexivity.
  - destruct i; cbn [pack nth].
    + rewrite Z.pow_0_r, Z.div_1_r, Z.mul_comm, Z.mod_add by lia. apply Z.mod_small. lia.
    + rewrite Nat2Z.inj_succ, Z.pow_succ_r, <- Z.div_div by lia.
      replace ((Z.of_nat x + 256 * pack row) / 256) with (pack row); [apply IH |].
      rewrite Z.mul_comm, Z.div_add, Z.div_small by lia. reflexivity.
Qed.

Lemma pack_zero row : pack row = 0 <-> list_sum row = 0%nat.
Proof.
  assert (P : forall row, 0 <= pack row) by (induction row0; cbn [pack]; lia).
  induction row as [| x row IH]; [simpl; lia |].
  change (list_sum (x :: row)) with (x + list_sum row)%nat. cbn [pack]. pose proof (P row). lia.
Qed.

(* --- an integer that holds a row ----------------------------------------------------------------------- *)

Record holds (x : int) (row : list nat) : Prop := {
  holds_value : to_Z x = pack row;
  holds_length : length row = 6%nat;
  holds_few : (list_sum row <= 48)%nat }.

Lemma few_small row : (list_sum row <= 48)%nat -> Forall (fun x => x < 256)%nat row.
Proof.
  intro H. apply Forall_forall. intros x Hx. destruct (In_nth row x 0%nat Hx) as (i & _ & E).
  pose proof (nth_le_sum i row). lia.
Qed.

Lemma pack_small row : length row = 6%nat -> (list_sum row <= 48)%nat -> 0 <= pack row < 281474976710656.
Proof. intros L S. pose proof (pack_bound row (few_small row S)) as B. rewrite L in B. exact B. Qed.

Lemma packed_holds row : length row = 6%nat -> (list_sum row <= 48)%nat -> holds (packed row) row.
Proof.
  intros L S. constructor; auto. unfold packed. rewrite of_Z_spec. apply Z.mod_small.
  pose proof (pack_small row L S). rewrite wB_big. lia.
Qed.

Lemma holds_packed x row : holds x row -> x = packed row.
Proof. intros [V _ _]. unfold packed. rewrite <- V. symmetry. apply of_to_Z. Qed.

Lemma int_of_row x row : length row = 6%nat -> (list_sum row <= 48)%nat -> to_Z x mod wB = pack row mod wB ->
  holds x row.
Proof.
  intros L S E. constructor; auto. pose proof (pack_small row L S). pose proof (to_Z_bounded x).
  rewrite !Z.mod_small in E; auto. rewrite wB_big. lia.
Qed.

Definition is_pit (s : int) (p : nat) : Prop := (p < 6)%nat /\ to_Z s = 8 * Z.of_nat p.

Lemma seeds_at_pit x row s p : holds x row -> is_pit s p -> to_Z (seeds_at x s) = Z.of_nat (nth p row 0%nat).
Proof.
  intros [V L S] [P E]. unfold seeds_at. rewrite land_spec', lsr_spec, E, V.
  change (to_Z 255) with (Z.ones 8). rewrite Z.land_ones by lia.
  rewrite <- (pack_digit row (few_small row S) p). f_equal. f_equal.
  change 256 with (2 ^ 8). rewrite <- Z.pow_mul_r by lia. reflexivity.
Qed.

Lemma row_zero x row : holds x row -> ((x =? 0)%uint63 = true <-> list_sum row = 0%nat).
Proof. intros [V _ _]. rewrite int_zero, V. apply pack_zero. Qed.

(* --- sowing: all origins and numbers of seeds are tried ------------------------------------------------- *)

Definition sown_right (p h : nat) : bool :=
  let s := (8 * int_of p)%uint63 in
  let e := last_pit s (int_of h) in
  (to_Z (sown_own s (int_of h)) =? pack (firstn 6 (sown p h))) &&
  (to_Z (sown_other s (int_of h)) =? pack (skipn 6 (sown p h))) &&
  if ((48 <=? e) && (e <=? 88))%uint63
  then (to_Z e =? 8 * Z.of_nat (sown_last p h)) && (5 <? sown_last p h)%nat
  else (sown_last p h <=? 5)%nat.

Lemma all_sown_right :
  forallb (fun p => forallb (sown_right p) (seq 1 48)) (seq 0 6) = true.
Proof. vm_compute. reflexivity. Qed.

Lemma sown_is s p h n : is_pit s p -> to_Z h = Z.of_nat n -> (1 <= n <= 48)%nat ->
  to_Z (sown_own s h) = pack (firstn 6 (sown p n)) /\
  to_Z (sown_other s h) = pack (skipn 6 (sown p n)) /\
  if ((48 <=? last_pit s h) && (last_pit s h <=? 88))%uint63
  then to_Z (last_pit s h) = 8 * Z.of_nat (sown_last p n) /\ (5 < sown_last p n)%nat
  else (sown_last p n <= 5)%nat.
Proof.
  intros [Hp Hs] Hh Hn.
  assert (R : sown_right p n = true).
  { pose proof all_sown_right as A. rewrite forallb_forall in A.
    specialize (A p ltac:(apply in_seq; lia)). rewrite forallb_forall in A. apply A, in_seq; lia. }
  assert (Es : (8 * int_of p)%uint63 = s).
  { apply to_Z_inj. rewrite mul_spec, int_of_small, Hs by lia. change (to_Z 8) with 8.
    apply Z.mod_small. rewrite wB_big. lia. }
  assert (Eh : int_of n = h) by (apply to_Z_inj; rewrite int_of_small, Hh by lia; reflexivity).
  unfold sown_right in R. rewrite Es, Eh in R. apply andb_prop in R. destruct R as [R1 R].
  apply andb_prop in R1. destruct R1 as [R1 R2]. apply Z.eqb_eq in R1. apply Z.eqb_eq in R2.
  repeat split; auto.
  destruct ((48 <=? last_pit s h) && (last_pit s h <=? 88))%uint63.
  - apply andb_prop in R. destruct R as [R3 R4]. apply Z.eqb_eq in R3. apply Nat.ltb_lt in R4. auto.
  - apply Nat.leb_le in R. exact R.
Qed.

(* --- rows after a move ---------------------------------------------------------------------------------- *)

Lemma shifted h s p n : is_pit s p -> to_Z h = Z.of_nat n -> (n <= 48)%nat ->
  to_Z (h << s)%uint63 = Z.of_nat n * 256 ^ Z.of_nat p.
Proof.
  intros [Hp Hs] Hh Hn. rewrite lsl_spec, Hs, Hh.
  change 256 with (2 ^ 8). rewrite <- Z.pow_mul_r by lia. apply Z.mod_small.
  assert (0 < 2 ^ (8 * Z.of_nat p) <= 2 ^ 40) by (split; [apply Z.pow_pos_nonneg | apply Z.pow_le_mono_r]; lia).
  rewrite wB_big. change (2 ^ 40) with 1099511627776 in *. nia.
Qed.

Section Rows.
Variables (a o : list nat) (x y s : int) (p : nat).
Hypothesis Ha : holds x a.
Hypothesis Ho : holds y o.
Hypothesis few : (list_sum a + list_sum o <= 48)%nat.
Hypothesis Hs : is_pit s p.
Hypothesis some : (0 < nth p a 0)%nat.

Let n := nth p a 0%nat.
Let h := seeds_at x s.

Lemma hand_is : to_Z h = Z.of_nat n /\ (1 <= n <= 48)%nat.
Proof.
  split; [apply seeds_at_pit; auto |]. pose proof (nth_le_sum p a). destruct Ha. unfold n. lia.
Qed.

Lemma row_left_holds : holds (row_left x s h) (row_after a p).
Proof.
  destruct hand_is as [Eh Bn]. destruct (sown_is s p h n Hs Eh Bn) as (E1 & E2 & _).
  pose proof (proj1 Hs) as Hp. destruct Ha as [Va La Sa]. destruct Ho as [Vo Lo So].
  pose proof (sum_row_after a o p La Lo Hp).
  apply int_of_row; [apply length_row_after; auto | lia |].
  unfold row_left. rewrite add_spec, sub_spec, (shifted h s p n Hs Eh ltac:(lia)), E1, Va.
  rewrite Z.add_mod_idemp_l, !Zmod_mod by (rewrite wB_big; lia). f_equal.
  unfold row_after. rewrite pack_add by (rewrite length_put, firstn_length, length_sown; lia).
  rewrite pack_put by lia. fold n. lia.
Qed.

Lemma adds_holds : holds (y + sown_other s h)%uint63 (row_sown a o p).
Proof.
  destruct hand_is as [Eh Bn]. destruct (sown_is s p h n Hs Eh Bn) as (E1 & E2 & _).
  pose proof (proj1 Hs) as Hp. destruct Ha as [Va La Sa]. destruct Ho as [Vo Lo So].
  pose proof (sum_row_after a o p La Lo Hp).
  apply int_of_row; [apply length_row_sown; auto | lia |].
  rewrite add_spec, E2, Vo, !Zmod_mod. f_equal. unfold row_sown.
  rewrite pack_add by (rewrite skipn_length, length_sown; lia). reflexivity.
Qed.
End Rows.

(* --- captures ------------------------------------------------------------------------------------------- *)

Lemma two_or_three x n : to_Z x = Z.of_nat n -> (n <= 48)%nat ->
  ((x lor 1) =? 3)%uint63 = ((n =? 2) || (n =? 3))%nat.
Proof.
  intros E H. assert (Ex : x = int_of n) by (apply to_Z_inj; rewrite int_of_small by lia; exact E). subst x.
  assert (A : forallb (fun n => Bool.eqb ((int_of n lor 1) =? 3)%uint63 ((n =? 2) || (n =? 3))%nat) (seq 0 49) = true)
    by (vm_compute; reflexivity).
  rewrite forallb_forall in A. apply eqb_prop. apply A. apply in_seq. lia.
Qed.

Lemma take_one k t row o g : is_pit t k -> holds row o -> to_Z g + Z.of_nat (list_sum o) <= 48 ->
  let n := nth k o 0%nat in
  ((seeds_at row t lor 1) =? 3)%uint63 = ((n =? 2) || (n =? 3))%nat /\
  to_Z (g + seeds_at row t)%uint63 = to_Z g + Z.of_nat n /\
  holds (row - (seeds_at row t << t))%uint63 (put k 0 o) /\
  (list_sum (put k 0 o) + n = list_sum o)%nat.
Proof.
  intros Ht Hr Hg n. pose proof (seeds_at_pit row o t k Hr Ht) as E. fold n in E.
  destruct Hr as [Vr Lr Sr]. pose proof (to_Z_bounded g) as Bg.
  pose proof (nth_le_sum k o) as Bn. fold n in Bn. destruct Ht as [Hk Et].
  pose proof (list_sum_put k 0 o ltac:(lia)) as Sp. fold n in Sp.
  split; [| split; [| split]].
  - apply two_or_three; auto; lia.
  - rewrite add_spec, E. apply Z.mod_small. rewrite wB_big. lia.
  - apply int_of_row; [rewrite length_put; auto | lia |].
    rewrite sub_spec, (shifted _ t k n (conj Hk Et) E ltac:(lia)), Vr, pack_put, Zmod_mod by lia.
    f_equal. fold n. lia.
  - lia.
Qed.

Lemma take_is m : forall fuel t row o g,
  (m < fuel)%nat -> is_pit t m -> holds row o -> to_Z g + Z.of_nat (list_sum o) <= 48 ->
  let (g', row') := take fuel t row g in
  to_Z g' = to_Z g + Z.of_nat (fst (capture_row (S m) o)) /\ holds row' (snd (capture_row (S m) o)).
Proof.
  induction m; intros fuel t row o g Hf Ht Hr Hg; (destruct fuel as [| fuel]; [lia |]); cbn [take].
  - destruct (take_one 0 t row o g Ht Hr Hg) as (Q & Eg & Hp & _). rewrite Q.
    cbn [capture_row]. destruct ((nth 0 o 0 =? 2) || (nth 0 o 0 =? 3))%nat.
    + assert (Z0 : (t =? 0)%uint63 = true) by (apply int_zero; destruct Ht; lia). rewrite Z0.
      cbn [fst snd]. rewrite Eg. split; [lia | exact Hp].
    + cbn [fst snd]. split; [lia | exact Hr].
  - destruct (take_one (S m) t row o g Ht Hr Hg) as (Q & Eg & Hp & Sp). rewrite Q.
    remember (S m) as k eqn:Ek. cbn [capture_row]. destruct ((nth k o 0 =? 2) || (nth k o 0 =? 3))%nat.
    + assert (Z0 : (t =? 0)%uint63 = false).
      { destruct (t =? 0)%uint63 eqn:Q0; auto. apply int_zero in Q0. destruct Ht; lia. }
      rewrite Z0.
      assert (Ht' : is_pit (t - 8)%uint63 m).
      { destruct Ht as [Hm Et]. split; [lia |]. rewrite sub_spec, Et. change (to_Z 8) with 8.
        rewrite Z.mod_small; rewrite ?wB_big; lia. }
      specialize (IHm fuel (t - 8)%uint63 _ _ (g + seeds_at row t)%uint63 ltac:(lia) Ht' Hp ltac:(lia)).
      destruct (take fuel (t - 8)%uint63 _ _) as [g' row']. subst k.
      destruct (capture_row (S m) (put (S m) 0 o)) as [c l]; cbn [fst snd] in *.
      split; [lia | tauto].
    + cbn [fst snd]. split; [lia | exact Hr].
Qed.

(* --- a move --------------------------------------------------------------------------------------------- *)

Lemma land_in_is r a o x y s p :
  holds x a -> holds y o -> (list_sum a + list_sum o <= 48)%nat -> is_pit s p -> (0 < nth p a 0)%nat ->
  let (g, left) := land_in r (move_of x s) y in
  to_Z g = Z.of_nat (fst (taken r a o p)) /\ holds left (snd (taken r a o p)).
Proof.
  intros Ha Ho few Hs some. pose proof (adds_holds a o x y s p Ha Ho few Hs some) as Hf.
  destruct (hand_is a o x s p Ha few Hs some) as [Eh Bn].
  destruct (sown_is s p _ _ Hs Eh Bn) as (_ & _ & Hl).
  unfold land_in, move_of, taken. cbn [adds last].
  set (e := last_pit s (seeds_at x s)) in *. set (full := (y + sown_other s (seeds_at x s))%uint63) in *.
  set (so := row_sown a o p) in *. set (l := sown_last p (nth p a 0%nat)) in *.
  pose proof (sown_last_le p (nth p a 0%nat) (proj1 Hs)) as Bl. fold l in Bl.
  destruct ((48 <=? e) && (e <=? 88))%uint63.
  - destruct Hl as [El Gl].
    assert (Ht : is_pit (e - 48)%uint63 (l - 6)).
    { split; [lia |]. rewrite sub_spec, El. change (to_Z 48) with 48. rewrite Z.mod_small; rewrite ?wB_big; lia. }
    pose proof (take_is (l - 6) 6 (e - 48)%uint63 full so 0%uint63 ltac:(lia) Ht Hf) as T.
    change (to_Z 0) with 0 in T. destruct Hf as [Vf Lf Sf] eqn:EHf. specialize (T ltac:(lia)).
    replace (S (l - 6)) with (l - 5)%nat in T by lia.
    destruct (take 6 (e - 48)%uint63 full 0%uint63) as [g left].
    pose proof (capture_row_facts (l - 5) so ltac:(lia)) as [_ Sc].
    destruct (capture_row (l - 5) so) as [c rest]; cbn [fst snd] in *. destruct T as [Tg Tr].
    pose proof (row_zero left rest Tr) as Z0.
    destruct (left =? 0)%uint63.
    + assert (Zr : list_sum rest = 0%nat) by (apply Z0; reflexivity). rewrite Zr, Nat.eqb_refl, andb_true_r.
      destruct (keeps r); cbn [andb].
      * destruct (Nat.ltb_spec 0 c); cbn [fst snd]; split; auto.
        -- assert (c = 0)%nat by lia. subst c. reflexivity.
        -- (* nothing was captured, and nothing is there *)
           assert (list_sum so = 0)%nat by lia.
           destruct Tr as [Vt Lt St]. constructor; auto. rewrite Vf.
           transitivity 0; [| symmetry]; apply pack_zero; auto.
      * cbn [fst snd]. split; auto; lia.
    + destruct (Nat.eqb_spec (list_sum rest) 0) as [Q | Q].
      { apply Z0 in Q. discriminate. }
      rewrite !andb_false_r. cbn [fst snd]. split; [lia | auto].
  - replace (l - 5)%nat with 0%nat by lia. cbn [capture_row].
    replace (keeps r && (0 <? 0)%nat && (list_sum so =? 0)%nat) with false by (destruct (keeps r); reflexivity).
    cbn [fst snd]. split; auto.
Qed.

Lemma pits_are s : In s pits -> exists p, is_pit s p.
Proof.
  unfold pits. intro H. simpl in H.
  repeat (destruct H as [H | H]; [subst s; match goal with |- context [is_pit ?c _] =>
    exists (Z.to_nat (to_Z c / 8)); split; vm_compute; [lia | reflexivity] end |]).
  contradiction.
Qed.

Lemma pit_in p : (p < 6)%nat -> exists s, In s pits /\ is_pit s p.
Proof.
  intro H. exists (8 * int_of p)%uint63. do 6 (destruct p as [| p]; [split; [vm_compute; tauto | split; [lia | reflexivity]] |]).
  lia.
Qed.
