; A canal with locks: types, constants, negation, quantifiers, conditional and universal
; effects, a derived predicate, a function. Written for these tests.
(define (domain canal)
  (:requirements :adl :derived-predicates :fluents)
  (:types pound vessel - object  barge ferry - vessel)
  (:constants harbour - pound)
  (:predicates
    (in ?v - vessel ?p - pound)
    (gate ?a ?b - pound)
    (raised ?p - pound)
    (flagged ?v - vessel)
    (reachable-from ?a ?b - pound))
  (:functions (coal ?v - vessel) (total-cost))

  (:derived (reachable-from ?a ?b - pound)
    (or (and (gate ?a ?b) (raised ?b))
        (exists (?m - pound) (and (reachable-from ?a ?m) (reachable-from ?m ?b)))))

  (:action sail
    :parameters (?v - vessel ?from ?to - pound)
    :precondition (and (in ?v ?from) (gate ?from ?to) (not (= ?from ?to))
                       (>= (coal ?v) 1) (or (raised ?to) (raised ?from)))
    :effect (and (not (in ?v ?from)) (in ?v ?to) (decrease (coal ?v) 1)
                 (increase (total-cost) 3)))

  ; all gates turn over at once: what was up goes down and what was down goes up
  (:action turn-over
    :parameters ()
    :precondition ()
    :effect (forall (?p - pound)
              (and (when (raised ?p) (not (raised ?p)))
                   (when (not (raised ?p)) (raised ?p)))))

  (:action salute
    :parameters (?v - vessel ?p - pound)
    :precondition (and (in ?v ?p) (forall (?w - ferry) (imply (in ?w ?p) (flagged ?w))))
    :effect (and (not (flagged ?v)) (flagged ?v))))
