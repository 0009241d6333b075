(* What the checks of all games share: cells as machine integers, and moves held against the cell of their board. *)
From Coq Require Import Arith List ZArith Lia Bool Uint63.
Import ListNotations.
Open Scope uint63_scope.

(* A value is read with 128 added. A depth is read from a stream of its own, as it is. *)
Definition depth_stream : int := 1 << 56.

(* Who forces the value of a board, if anyone does. *)
Inductive forcer := nobody | the_mover | the_other.
Inductive verdict := skip | wrong | fine | hit.

(* What the moves of a board say together; those that are no moves are skipped. *)
Section Scan.
Context {move : Type}.
Variable look : move -> verdict.

Fixpoint scan (ms : list move) (found : verdict) : verdict :=
  match ms with
  | [] => found
  | m :: ms' =>
      match look m with
      | skip => scan ms' found
      | wrong => wrong
      | fine => scan ms' (match found with hit => hit | _ => fine end)
      | hit => scan ms' hit
      end
  end.
End Scan.

(* A move that gains g and leads to the board at a place, held against value v and depth d: no move is worth
   more, and of the moves that are worth v the forcer takes the quickest, the other side the slowest. *)
Definition judge (read : int -> int) (who : forcer) (v d stream g at_ : int) : verdict :=
  let m := 256 + g - read (at_ + stream) in
  if m <? v then fine
  else if v <? m then wrong
  else
    match who with
    | nobody => hit
    | _ =>
        let e := if g =? 0 then read (at_ + stream + depth_stream) + 1 else 1 in
        if e =? d then hit
        else match who with
             | the_mover => if d <? e then fine else wrong
             | _ => if e <? d then fine else wrong
             end
    end.

Close Scope uint63_scope.
Open Scope Z_scope.

(* --- machine integers --------------------------------------------------------------------------------------- *)

Notation to_Z := Uint63.to_Z.

Lemma wB_big : wB = 9223372036854775808. Proof. reflexivity. Qed.

Lemma int_inj x y : to_Z x = to_Z y -> x = y. Proof. apply to_Z_inj. Qed.

Lemma int_zero x : (x =? 0)%uint63 = true <-> to_Z x = 0.
Proof. rewrite eqb_spec. split; intro H; [subst; reflexivity | apply to_Z_inj; exact H]. Qed.

Definition int_of (n : nat) : int := of_Z (Z.of_nat n).

Lemma int_of_small n : (n < 1000)%nat -> to_Z (int_of n) = Z.of_nat n.
Proof. intro H. unfold int_of. rewrite of_Z_spec. apply Z.mod_small. rewrite wB_big. lia. Qed.

Lemma stream_sum at_ s t : (at_ + s + t = at_ + (s + t))%uint63.
Proof. apply int_inj. rewrite !add_spec, Zplus_mod_idemp_l, Zplus_mod_idemp_r. f_equal. lia. Qed.

Lemma no_stream at_ : (at_ + 0 = at_)%uint63.
Proof. apply int_inj. rewrite add_spec. change (to_Z 0) with 0. rewrite Z.add_0_r. apply Z.mod_small, to_Z_bounded. Qed.

(* --- what verdicts say --------------------------------------------------------------------------------------- *)

Lemma scan_is {move} (look : move -> verdict) ms : forall found, found <> wrong ->
  let found' := scan look ms found in
  (found' <> wrong -> forall m, In m ms -> look m <> wrong) /\
  (found' = hit -> found = hit \/ exists m, In m ms /\ look m = hit) /\
  (found' = skip -> found = skip /\ forall m, In m ms -> look m = skip) /\
  (found' <> skip -> found <> skip \/ exists m, In m ms /\ look m <> skip).
Proof.
  induction ms as [| m ms IH]; intros found F; cbn [scan].
  - repeat split; auto; intros; contradiction.
  - destruct (look m) eqn:E.
    + destruct (IH found F) as (A & B & C & D). repeat split.
      * intros H n [Hn | Hn]; [subst n; congruence | auto].
      * intro H. destruct (B H) as [Q | (n & Hn & Q)]; auto. right. exists n. cbn [In]. auto.
      * apply C; auto.
      * intros n [Hn | Hn]; [subst n; auto | apply C; auto].
      * intro H. destruct (D H) as [Q | (n & Hn & Q)]; auto. right. exists n. cbn [In]. auto.
    + repeat split; intros; try congruence; try discriminate. right. exists m. cbn [In]. split; [auto | congruence].
    + destruct (IH (match found with hit => hit | _ => fine end) ltac:(destruct found; discriminate)) as (A & B & C & D).
      repeat split.
      * intros H n [Hn | Hn]; [subst n; congruence | auto].
      * intro H. destruct (B H) as [Q | (n & Hn & Q)].
        -- left. destruct found; congruence.
        -- right. exists n. cbn [In]. auto.
      * destruct (C H) as [Q _]. destruct found; discriminate.
      * destruct (C H) as [Q _]. destruct found; discriminate.
      * intros _. right. exists m. cbn [In]. split; [auto | congruence].
    + destruct (IH hit ltac:(discriminate)) as (A & B & C & D). repeat split.
      * intros H n [Hn | Hn]; [subst n; congruence | auto].
      * intro H. right. exists m. cbn [In]. auto.
      * destruct (C H) as [Q _]. discriminate.
      * destruct (C H) as [Q _]. discriminate.
      * intros _. right. exists m. cbn [In]. split; [auto | congruence].
Qed.

Lemma judge_not_skip read who v d stream g a : judge read who v d stream g a <> skip.
Proof.
  unfold judge. destruct (_ <? v)%uint63; [discriminate |]. destruct (v <? _)%uint63; [discriminate |].
  destruct who; [discriminate | |]; destruct (_ =? d)%uint63; try discriminate;
    match goal with |- (if ?c then _ else _) <> _ => destruct c end; discriminate.
Qed.

(* A move that is not wrong is worth v at most; if it is worth v, its depth is d at least where the mover forces v, and
   at most where the other side does. *)
Lemma judge_is read who v d stream g at_ :
  let value := to_Z (read (at_ + stream)%uint63) in
  let depth := to_Z (read (at_ + (stream + depth_stream))%uint63) in
  (g <= 48)%nat -> value <= 176 -> depth < 65536 ->
  let j := judge read who v d stream (int_of g) at_ in
  let m := 256 + Z.of_nat g - value in
  let e := if (g =? 0)%nat then depth + 1 else 1 in
  (j = fine \/ j = hit -> m <= to_Z v /\
    (m = to_Z v -> (who = the_mover -> to_Z d <= e) /\ (who = the_other -> e <= to_Z d))) /\
  (j = hit -> m = to_Z v /\ (who <> nobody -> e = to_Z d)).
Proof.
  intros value depth Hg Hc He j m e.
  assert (Ej : j = judge read who v d stream (int_of g) at_) by reflexivity. clearbody j.
  unfold judge in Ej. rewrite stream_sum in Ej.
  set (mi := (256 + int_of g - read (at_ + stream))%uint63) in Ej.
  assert (Em : to_Z mi = m).
  { unfold mi, m, value in *. pose proof (to_Z_bounded (read (at_ + stream)%uint63)).
    rewrite sub_spec, add_spec, int_of_small by lia. change (to_Z 256) with 256.
    rewrite (Z.mod_small (256 + _)) by (rewrite wB_big; lia). apply Z.mod_small. rewrite wB_big. lia. }
  set (ei := (if int_of g =? 0 then read (at_ + (stream + depth_stream)) + 1 else 1)%uint63) in Ej.
  assert (Ee : to_Z ei = e).
  { unfold ei, e. replace (int_of g =? 0)%uint63 with (g =? 0)%nat.
    - destruct (g =? 0)%nat; [| reflexivity]. unfold depth in *. rewrite add_spec. change (to_Z 1) with 1.
      pose proof (to_Z_bounded (read (at_ + (stream + depth_stream))%uint63)). apply Z.mod_small. rewrite wB_big. lia.
    - destruct (int_of g =? 0)%uint63 eqn:Q.
      + apply int_zero in Q. rewrite int_of_small in Q by lia. apply Nat.eqb_eq. lia.
      + apply Nat.eqb_neq. intro. subst g. discriminate. }
  clearbody mi ei. clear Hg Hc He.
  destruct (mi <? v)%uint63 eqn:L1.
  { apply ltb_spec in L1. subst j. split; [intros _; lia | discriminate]. }
  destruct (v <? mi)%uint63 eqn:L2; [subst j; split; [intros [Q | Q] |]; discriminate |].
  assert (Mv : m = to_Z v).
  { assert (N1 : ~ to_Z mi < to_Z v) by (intro Q; apply ltb_spec in Q; congruence).
    assert (N2 : ~ to_Z v < to_Z mi) by (intro Q; apply ltb_spec in Q; congruence). lia. }
  destruct who; cbn iota beta in Ej.
  - subst j. split; [intros _ | intros _]; (split; [lia |]); [intros _; split; discriminate | congruence].
  - destruct (ei =? d)%uint63 eqn:L3.
    + apply eqb_spec in L3. subst d. split; intros _; (split; [lia |]); [intros _; split; [lia | discriminate] | auto].
    + destruct (d <? ei)%uint63 eqn:L4; subst j; (split; [intros [Q | Q]; try discriminate | discriminate]).
      apply ltb_spec in L4. split; [lia |]. intros _. split; [lia | discriminate].
  - destruct (ei =? d)%uint63 eqn:L3.
    + apply eqb_spec in L3. subst d. split; intros _; (split; [lia |]); [intros _; split; [discriminate | lia] | auto].
    + destruct (ei <? d)%uint63 eqn:L4; subst j; (split; [intros [Q | Q]; try discriminate | discriminate]).
      apply ltb_spec in L4. split; [lia |]. intros _. split; [discriminate | lia].
Qed.
