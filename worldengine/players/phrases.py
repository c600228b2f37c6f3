"""The stock of phrases that thoughts are put together from.

Gaps: {do} `take the lamp`, {doing} `taking the lamp`, {Doing} the same with a capital, {it}
`the lamp`, {It} the same with a capital, {place} `the parlour`, {quote} a quotation, {deed} what
an earlier turn did (`reading the note`), {goal} the first thing that the goal asks for, {left}
turns left, {next} a later intention.
"""

from __future__ import annotations

INTENT = (
    "I will {do}.", "Now I {do}.", "Time to {do}.", "Let me {do}.", "{Doing} comes next.",
    "So I {do}.", "I want to {do} now.", "My next move is to {do}.", "I think I should {do}.",
    "I'll {do}.", "The next step is {doing}.", "I am going to {do}.", "Next I {do}.",
    "It is time to {do}.", "I can {do} now.", "I decide to {do}.", "{Doing} it is.",
    "I might as well {do}.", "What I do now is {do}.", "I go ahead and {do}.",
    "That leaves {doing} for this turn.", "I turn to {doing}.", "For now I {do}.",
    "I see to {doing}.", "Right: {do}.", "{Doing} is what I do now.",
)  # fmt: skip
OPENING = (
    "In the end I am to {goal}, so I begin with {doing}.",
    "I am here to {goal}. To start, I {do}.",
    "Before I can {goal} there is more to find out. I begin by {doing}.",
    "What matters is to {goal} and what belongs to it. First I {do}.",
    "The task starts with the order to {goal}. My way there begins with {doing}.",
    "To {goal} and the rest will take several steps. The first: {do}.",
)
OPENING_PLAIN = (
    "I look at what is within reach first. I {do}.",
    "A first step that can do no harm: {do}.",
    "Let me get my bearings. I start by {doing}.",
    "I know what is asked of me. I begin with {doing}.",
    "There are {left} turns, enough if I am orderly. I {do} first.",
    "One thing at a time; {doing} comes first.",
)
WAITING = (
    "Some of this only needs time. I {do}.", "I let a turn pass.", "I {do} and watch.",
    "Nothing better to do this moment, so I {do}.", "Patience. I {do} once.",
    "I give it a turn.", "I hold still and see what changes.", "I {do}; something may change.",
)  # fmt: skip
ARRIVED = (
    "I have come to {place}.", "That brings me to {place}.", "So this is {place}.",
    "I have reached {place}.", "Now I am at {place}.",
    "Here is {place}.",
)  # fmt: skip
GOT = (
    "I have {it}.", "I carry {it} now.", "{It} is with me.", "Good, I have got {it}.",
    "I hold {it}.", "With {it} in hand I can go on.",
)  # fmt: skip
WORKED = (
    "That worked.", "Good.", "That is done.", "One thing less to do.", "So far, so good.",
    "Fine.", "{Deed} went well.", "{Deed} is behind me.", "I am through with {deed}.",
    "No trouble there.", "That went as I hoped.", "Done with {deed}.",
)  # fmt: skip
ONE_MORE = (
    "Again, then.", "I keep at it.", "Once was not enough.", "The same again.",
    "I am not through with that yet.", "I go on with it.",
)  # fmt: skip
NOTED = (
    "I note: {quote}", "I keep in mind: {quote}", "I have just learnt: {quote}",
    "{quote} I should remember that.", "{quote} That is worth knowing.",
    "This is new to me: {quote}", "{quote} Good to know.",
)  # fmt: skip
SEEN_HERE = (
    "{It} is right here.", "I can see {it} from where I stand.", "{It} is among what I see.",
    "{It} is in front of me.", "I have just been shown {it}.",
)  # fmt: skip
SEEN_EARLIER = (
    "I have seen {it}.", "I came across {it} earlier.", "I remember {it}.",
    "I have not forgotten {it}.", "I noticed {it} before.", "I know of {it}.",
)  # fmt: skip
SEEN_AT = (
    "I remember {it} from {place}.", "I came across {it} at {place}.",
    "{It} was among what I saw at {place}.", "I have not forgotten {it} from {place}.",
    "Back at {place} I noticed {it}.", "At {place} I took note of {it}.",
)  # fmt: skip
SEEN_AFTER = (
    "I noticed {it} after {deed}.", "{It} showed itself after {deed}.",
    "Since {deed} I know of {it}.", "I found out about {it} by {deed}.",
)  # fmt: skip
SAID_AFTER = (
    "From {deed} I know: {quote}", "{Deed} told me: {quote}", "What came of {deed}: {quote}",
    "I go by what I learnt from {deed}: {quote}", "{quote} I know that from {deed}.",
)  # fmt: skip
SAW_AFTER = (
    "After {deed} I saw this: {quote}", "{Deed} showed me: {quote}",
    "I saw it when I was {deed}: {quote}", "{quote} So much I saw after {deed}.",
    "I go by what I saw: {quote}", "I have not forgotten what I saw: {quote}",
)  # fmt: skip
SAID_BEFORE = (
    "I was told at the start: {quote}", "I remember from the beginning: {quote}",
    "{quote} That was there to read at the very start.",
)  # fmt: skip
FAILED_OVER = (
    "When I tried to {did}, the answer was {quote}", "I still want to {did}; I was told {quote}",
    "I failed to {did}. I heard {quote}", "I could not {did} before.",
    "I was told {quote} when I wanted to {did}.", "I have not managed to {did} yet.",
)  # fmt: skip
CARRIED = (
    "I took {it} earlier.", "{It} is among what I have taken.", "I have {it} for this.",
    "This is where {it} may be of use.", "I have been carrying {it} for a reason.",
)  # fmt: skip
IN_GOAL = (
    "The goal names {it}.", "{It} is part of the task.", "I was asked about {it} by name.",
    "The task speaks of {it}.",
)  # fmt: skip
GOAL_VERB = (
    "That is part of what I was asked to do.", "The task asks for this in so many words.",
    "This is one of the things the goal wants.",
)  # fmt: skip
ON_THE_WAY = (
    "I want to {next}, so I have to move.", "To {next} I must get there first.",
    "My aim is to {next}.", "I am on my way to {next}.", "I have {it} in mind.",
    "Next I mean to {next}, and that means moving.", "I go because of {it}.",
)  # fmt: skip
ONWARD = (
    "I would like to know what is there.", "There may be more to find.",
    "I have not been that way from here.", "I look further.",
    "I do not know yet what waits there.", "That way is new to me.",
    "I have yet to see where this leads.", "Unknown ground, but it is a way on.",
)  # fmt: skip
KNOWN_WAY = (
    "I know the way.", "I have gone this way before.", "Back along a way I know.",
    "I have seen what is there, and need it now.", "The way is familiar by now.",
)  # fmt: skip
LOOK = (
    "Before I go on I want to know more.", "I may have missed something.",
    "A closer look costs a turn, no more.", "Let me make sure of how things are.",
    "I would rather know than guess.", "There could be a hint in it.",
    "I have not looked closely yet.", "Details may matter here.",
)  # fmt: skip
EARLY = (
    "Perhaps I can {do} straight away.", "Nothing I have read forbids {doing} now.",
    "I could save time and {do} right here.", "Maybe it is enough to {do}.",
    "I see no reason to put off {doing}.", "Why not {do} at once?",
    "If {doing} works now, all the better.", "I try to {do} without further ado.",
    "I take it that I can {do} already.", "The time is right for {doing}.",
)  # fmt: skip
AGAIN = (
    "I am sure of it, so once more: {do}.",
    "It should work this time: {do}.", "That must have been meant otherwise. Again: {do}.",
    "I do not quite believe it and try again to {do}.",
    "A second try may do it: {do}.", "I insist, for I am right about this: {do}.",
    "Sometimes it takes two attempts to {do}.",
)  # fmt: skip
REFUSED = (
    "{quote}", "I was told {quote}", "The answer was {quote}", "{quote} I had not thought of it.",
    "That did not work: {quote}", "{quote} That explains it.", "Refused: {quote}",
    "So that is how it is. {quote}", "{quote} I see.",
)  # fmt: skip
THEN_FIRST = (
    "Meanwhile I can {do}.", "I will come back to it. First I {do}.", "Then I {do} instead.",
    "I put it off and {do}.", "I leave it for later and {do}.", "Not yet, then. I {do}.",
    "I was too quick. For now I {do}.", "That has to wait. I {do}.",
)  # fmt: skip
THEN_HELPS = (  # the next step makes true what the refusal asked for
    "Something else has to come first. I {do}.", "I see to that before I try again, so I {do}.",
    "So the order was wrong; {doing} comes before it.", "One step back: {do}.",
    "I was too quick. I {do} first.", "For that I have to {do} first.",
)  # fmt: skip
THEN_WHERE = (
    "It cannot be had here and now. I {do}.", "It has to wait. I {do}.",
    "I will come back to it. Now I {do}.", "Not from here, then. I {do}.",
    "I lack what it takes at the moment. I {do}.", "It is out of reach for now. I {do}.",
    "That cannot be done from where I stand; {doing} can.",
)  # fmt: skip
THIS_HELPS = (
    "That is what {doing} is for.",
    "{Doing} should settle that.",
    "So what I need is right there: {do}.",
    "I can do something about that: {do}.",
)
WRONG_WORD = (
    'It does not know "{bad}". I say it as the list of commands does: {do}.',
    '"{bad}" was the wrong word for it; "{good}" is the one. I {do}.',
    'The commands have "{good}", not "{bad}". Again: {do}.',
    'I should keep to the words I was given: "{good}". So: {do}.',
)
LEFT_OUT = (
    "I left a part of it out. In full: {do}.",
    "That was only half a command. All of it: {do}.",
    "I did not say everything that was needed. I {do}.",
    "It wants to know more exactly: {do}.",
)
WRONG_JOINT = (
    'It wants "{good}" there, not "{bad}". I {do}.',
    'Wrong little word: "{good}" fits. I {do}.',
    'My "{bad}" was not understood; with "{good}" it should be. I {do}.',
)
WRONG_NAME = (
    "I had the name wrong. What I mean is: {do}.",
    "That is not what it is called; I meant to {do}.",
    "I named it wrongly. Properly: {do}.",
    "My mistake, a slip in the name. I {do}.",
)
WRONG_NUMBER = (
    "I had the number wrong. I {do}.",
    "It should have been another number: {do}.",
    "Not {bad} but {good}. I {do}.",
    "I was off with the number; {bad} will not do. Properly: {do}.",
)
WRONG_WAY = (
    "The idea was right and the wording wrong. I {do}.",
    "I put it properly this time: {do}.",
    "I was understood badly, so I keep it simple: {do}.",
    "In plain words: {do}.",
)
REDO = (
    "Earlier {doing} failed. I was told {quote} That should be settled now, so I {do}.",
    "Before, the answer was {quote} Things have changed since. I {do}.",
    "I have not forgotten that I wanted to {do}. What stood in the way was this: {quote}",
    "Back to what failed before. I believe the cause is dealt with, so I {do}.",
    "The first time I was too early and heard {quote} Now I {do}.",
    "Since {deed} things are different, so {doing} should work this time.",
    "After {deed} I can try again to {do}.",
    "Once I was stopped by {quote} With {deed} done, I {do}.",
)
TRY = (
    "I do not know yet what helps. I {do}.", "Perhaps it helps to {do}.",
    "Let me see what happens if I {do}.", "I have no better idea than {doing}.",
    "It can do no harm to {do}.", "I try {doing}.", "Maybe {doing} tells me something.",
    "I look for a start somewhere: {do}.",
)  # fmt: skip
OTHERWISE = (
    "I try something else: {do}.", "Then perhaps I should {do}.", "Another idea is {doing}.",
    "All right, not that. I {do}.", "I leave it and {do}.",
)  # fmt: skip
COUNTING = (
    "{left} turns are left.", "I still have {left} turns.", "There are {left} turns to go.",
)  # fmt: skip
