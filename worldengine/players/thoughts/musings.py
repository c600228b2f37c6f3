"""The stock of wordings that an explorer's thoughts are put together from.

Every bracket `(one|another)` is a choice of its own, and brackets stand in brackets. Gaps:
{do} `take the lamp`, {doing} and {Doing} `taking the lamp`, {thing} `the lamp`, {is} and
{them} as its number asks, {place} and {holder} with their articles, {quote} a quotation, {deed}
what an earlier turn did, {goal} what the task asks for first, {left} turns, {steps} of the plan,
{number} and {sum} (`75 less 14 is 61`),
{bad} and {good} words of a wrong command and of the right one.

What stands in CLAUSES can be a sentence of its own or follow a `since`.
"""

from __future__ import annotations

WILL = (
    "I (will|want to|am going to|mean to|think I will) {do}(.|.| now.)",
    "(I'll|Let me|Time to|Best to|I had better|It is time to) {do}(.| now.)",
    "So I (will |want to |had better |should ||) {do}.",
    "(So|Now|All right|For this turn): {do}.",
    "(What I do now|What I want to do) is to {do}.",
)
THEN = (  # where something was done before
    "(I'll|Let me|Best to|I had better) {do}, then.",
    "(I will|I want to|I am going to|I mean to) {do} next.",
    "Then I (will |want to |had better |should ||) {do}.",
    "{Doing} (comes next|is what I do next|is next).",
    "(Next|Well, then|Next in turn): {do}.",
    "(The next thing to do|My next step|What I do next) is to {do}.",
)
INTENT = (  # not said of walks
    "{Doing} (is what I do now|is worth a turn|it is|seems right|makes sense).",
    "I (settle on|decide on) {doing}.",
    "(What I do now|What I want to do) is {doing}.",
)
ONWARD = (
    "(On to|Now for|I turn to|I move on to) {doing}.",
    "(The next thing to do|My next step|What I do next) is {doing}.",
)
BEGIN = (  # on the first turn
    "I (begin|start|will begin|will start) (with|by) {doing}.",
    "(To begin with|To start with|First of all|First), I {do}.",
    "(The first thing to do|My first step|What I do first) is (to {do}|{doing}).",
)
AFTERWARDS = (  # follows a clause, as in `I saw it there, so I …`
    "so I (will |||want to |had better ){do}",
    "and (so|now) I {do}",
    "which is why I {do}",
)
INSTEAD = (
    "(Then|So) I (will |had better ||){do} instead.",
    "(Something else, then|Another way, then|Not that, then): {do}.",
    "I (leave it|let it be|put it off) and {do}.",
    "(Meanwhile|For the moment) I can {do}.",
    "(Perhaps|Maybe) {doing} (gets me further|helps|is the better idea).",
)
QUOTED = (
    "(It|That) (did not work|was refused|failed|got me nowhere). {quote}",
    "(I was told|The answer was|What I got was|All I heard was): {quote}",
    "{quote} (So that is the trouble.|That is why.|Fair enough.)",
)
QUOTED_NEW = ("{quote} (I had not thought of it.|I did not expect that.|I did not know.)",)
PLAINLY = (
    "(It|That) (did not work|was refused|failed|got me nowhere).",
    "(Not like that, then|No, not like that|That is not how it goes).",
)
WORDED = (
    "I (worded|put|said) that (badly|wrongly|in a way that means nothing here).",
    "(Those|My) words (mean nothing|were not understood|do not work) here.",
    "That was (no command|not a command) that works here.",
    "(The wording|How I said it) was (wrong|off); (the idea may still be right|what I meant may "
    "still work).",
)
WRONG_WORD = (
    '"{bad}" (was the wrong word|is no word that works here); (it is|one says|I should say) '
    '"{good}".',
    '(The word is|It wants|One says) "{good}", not "{bad}".',
    '(I should keep|I had better keep|Better keep) to the words I was given: "{good}".',
)
LEFT_OUT = (
    "I (left|must have left) a part of it out.",
    "That was (only half a|no whole) command(.|; this time all of it.)",
    "I did not say (everything|all) that (was needed|it takes)(.|, and it wants to know more "
    "exactly.)",
)
WRONG_JOINT = (
    '(It wants|One says|It should be) "{good}" there, not "{bad}".',
    'One (small|little) word was wrong: "{good}" (is what fits|is the one), not "{bad}".',
    'My "{bad}" was not understood; "{good}" (should be|may be|ought to be).',
)
WRONG_NAME = (
    "I (had|got) the name wrong.",
    "That is not what it is called(.|; I named it wrongly.)",
    "I (misnamed it|called it by a wrong name|made a slip in the name).",
)
WRONG_NUMBER = (
    "I (had|got) the number wrong(.|: {good}, not {bad}.)",
    "It should (have been|be) {good}, not {bad}.",
    "Not {bad} but {good}.",
)
INSIST = (  # what was refused just now is said once more
    "(It|That) (should|ought to) work (this time|at a second try).",
    "(Once more|Again|Another try), then.",
    "(I am sure|I do not doubt|I believe) that this is right.",
    "(It may take two tries|Sometimes it takes two tries|I must have been misunderstood).",
)
LEARNT = (
    "(I did not know that|That is new to me|I had not known that rule)(.|, and I will keep to it.)",
    "(Now I know what it asks for|One more rule learnt|Now I know what it takes).",
    "I (will|shall) (remember that|keep that in mind|bear that in mind)(.| from here on.)",
    "(One has to know such things|That is how it works here, then|So that is the rule).",
)
SURPRISED = (
    "That is not (quite |)what I had (reckoned with|hoped for)(.|; I have to think again.)",
    "(This|That) changes what I meant to do next.",
    "(I have to|I must|Let me) think again(.| after that.| with that in mind.)",
    "I had (hoped for|reckoned with) something else here.",
)
HOPE = (
    "(With luck|If I am lucky), {holder} is where {thing} will turn up.",
    "(My guess|My bet|What I hope) is that {holder} is where to (look for|find) {thing}.",
    "I (would try|will start with|put my hopes in) {holder}(, to find|, looking for) {thing}.",
    "(Perhaps|Maybe) {holder} is worth a try for {thing}.",
)
UNTOLD = (  # where nothing that was read speaks of it
    "I do not know where {thing} {is}; (perhaps|maybe|possibly) {holder} is the place to look.",
    "(My guess|My bet|All I can think of) is {holder}; where {thing} {is}, I was not told.",
    "(Nobody told me|I have not been told|I have yet to find out) where {thing} {is}. "
    "(I would try|I will start with|My first thought is) {holder}.",
    "(Where {is} {thing}?|Now where {is} {thing}?) (Perhaps|Maybe) {holder} is worth a try.",
)
ASK = (
    "I would rather (know more|find out more) (before I act|before I go on|first).",
    "There is something I (do not know yet|cannot tell from here|have not made out yet)"
    "(.|, and {doing} may tell me more.)",
    "{Doing} may tell me (more|what I lack|something I need).",
    "{Doing} costs a turn, (but|and) I may learn something.",
    "Knowing (is cheaper|costs less) than (guessing|a mistake).",
    "I (know too little|do not know enough) (to be sure|so far|yet).",
)
NEW = (
    "(I have not been there yet|That is a place I have not seen|There is ground I have not "
    "covered).",
    "(What I need|What is missing) may (well be|be|lie) (somewhere else|where I have not looked "
    "yet|further on).",
    "I (know|have seen) only {seen} (so far|by now).",
    "(There must be more than this|Who knows what is there|Unknown ground is worth a look).",
)
WAY = (
    "(From here|This way) I (come|get) (nearer|closer) to where I have not been.",
    "(There is nothing more|I see little more) to (find|learn) here.",
    "(The part I have not seen|What I have not seen) lies (that way|further on).",
)
TRY = (
    "I have not tried {doing} (yet|so far|here).",
    "I have no (better|clearer) idea( at the moment| right now|), so (why not this|this it is).",
    "It (may|might) (help|do something|change something).",
    "(Something may come of it|It can hardly hurt|A guess, no more).",
    "(I am out of better ideas|I am guessing now|This is trial and error).",
)
GUESS = (
    "Nobody (has named|named) it, (but|and yet) (I can guess|I think I know) what it is called.",
    "I have (read no|not read a) name for it, so I (guess one|have to guess).",
    "The name is (a guess|only a guess|guesswork), but (it fits|nothing here tells it).",
    "Nothing (here|at hand) (names|gives a name to) what I need, so I (put a name to it|name it) "
    "myself.",
)
GUESS_WAY = (
    "(Nobody|Nothing) has told me of a way there(, but|, and yet) (there may be one|I think that "
    "there is one).",
    "(I have|I) read of no way there, so (this is a guess|I have to guess|I try my luck).",
    "(There may be|Perhaps there is|I suppose there is) a way( there|), though I have not read of "
    "(one|any).",
)
GUESS_NUMBER = (
    "(Nothing that I have read|Nothing I was told|Nothing so far) says {number}, so (it is a guess|"
    "this is a guess|I have to guess).",
    "(The|That) {number} is (a guess|only a guess|my guess)(, nothing more|; I have not read it|).",
    "I was not told (that it is|to make it) {number}; (it is a guess|I am guessing|I can only "
    "guess).",
    "(Whether it is|Whether it should be) {number} I (cannot say|do not know); (I try my luck|it "
    "is a guess|I take a guess).",
)
FOLLOWS = (
    "{quote} (By that|So), {sum}.",
    "(I go by what I read|I have the rule|What I read was): {quote} (And|So) {sum}.",
)
RECKONED = (  # the rule is too long to be repeated
    "(By what I read|As I read it|By the rule that I read), {sum}.",
    "(The rule is known|I have read how it goes): {sum}.",
)
WORKED_OUT = (  # where no rule was read
    "(I can work it out|It can be worked out|That is no guess): {sum}.",
    "(So far as I can tell|As I reckon it|If I am not mistaken), {sum}.",
)
EVIDENCE = (  # it need not be all that speaks for it
    "{quote} (I learnt that by|I have that from|That came of) {deed}, and (it speaks for this|I "
    "go by it|it points this way).",
    "(What I go by|What speaks for this|What points this way) came (of|from|with) {deed}: {quote}",
    "(Since|After) {deed} I have something to go by: {quote}",
)
SETTLED = (  # where it has been quoted just before
    "(That|This) (is what I go by|points this way|speaks for what I do now).",
    "(Now I have|So I have|That gives me) something to go by.",
)
TELLS = (
    "{quote} So {holder} is (where to find|the place for|where I look for) {thing}.",
    "(I go by what I read|I have not forgotten|It was said): {quote}",
)
LATER = (
    "(After that|Once that is done|From there) I (want to|mean to|can|hope to) {later}.",
    "After that comes {doing later}(, I hope|).",
    "(The point is|What I am after is) {doing later}.",
)
LATER_HOPED = (  # where it is about what has not been seen
    "(After that|Once that is done|From there) I hope to {later}.",
    "(With luck|If all goes well), {doing later} comes (after that|next|soon after).",
    "(Perhaps|Maybe) I can {later} (after that|then|later).",
)
RECKON = (
    "(By my reckoning|If I am right|As far as I can see) (that leaves|it takes) {steps} (more|"
    "further) steps.",
    "(There are|I have) {left} turns left(, which should do|).",
)
GOAL = ("(I am to|My task is to|In the end I must|I am here to|I was asked to) {goal}.",)
GOAL_WHOLE = (  # where nothing else is asked for
    "(Everything|All this|All that I do here) is to {goal}.",
    "(What counts is|All that is asked of me is|There is one thing to do here:) to {goal}.",
)
GOAL_PART = (  # where something else is, too
    "(I am here to|I was asked to) {goal}, and more.",
    "(Among other things|First of all|For a beginning) I am to {goal}.",
)
NOTED = (
    "(I note|I see|I read|What I read is): {quote}",
    "{quote} (So I read.|That is what I read.|Noted.)",
)
TELLING = (  # of what has a number in it, is said by somebody, or is about what is asked for
    "(I note|I keep in mind|I should remember|Good to know): {quote}",
    "{quote} (Good to know.|I should remember that.|That may matter.|I keep that in mind.)",
)
ARRIVED = (
    "(This is|I have come to|So this is) {place}.",
    "(I have reached|That brings me to) {place}.",
)
BACK = (
    "(I am back at|Back at|Here I am again:) {place}.",
    "(That brings me back to|I have come back to) {place}.",
)
FINE = (
    "(Good|Fine|That worked|That is done|So far, so good|One thing less).",
    "(Good|Fine|Well), {deed} (is done|worked|went well|is behind me).",
    "(That|It) went as I (hoped|had hoped|meant it to).",
)
GOT = (
    "(Good, I|I|Now I) (have|carry|have got) {thing}.",
    "{Thing} {is} (with me|mine) now.",
)

# -- clauses: reasons, true without a `because` ----------------------------------------------

SEEN_HERE = (
    "{thing} {is} (right here|in front of me|among what I see)",
    "I (see|can see) {thing}",
)
SEEN_EARLIER = (
    "I (saw|noticed|came across) {thing} (earlier|before)",
    "I (remember|have seen|know of) {thing}",
)
SEEN_AT = (
    "I (saw|noticed|came across) {thing} back at {place}",
    "I (remember|know) {thing} from {place}",
)
SEEN_AFTER = (
    "I (noticed|found out about) {thing} after {deed}",
    "{deed} showed me {thing}",
)
CARRIED = (
    "I (took|picked up|got) {thing} (earlier|before)",
    "I (have|carry) {thing} with me",
    "{thing} {is} among what I have taken",
)
IN_GOAL = (
    "(my task|the task) (speaks of|names) {thing}",
    "{thing} {is} part of (the|my) task",
)
CLAUSES = (SEEN_HERE, SEEN_EARLIER, SEEN_AT, SEEN_AFTER, CARRIED, IN_GOAL)

# -- reasons that quote ----------------------------------------------------------------------

SAID = (
    "(I remember|I go by|I have not forgotten) what I read: {quote}",
    "(From|After) {deed} I know: {quote}",
    "{quote} (I remember that.|That is what I go by.)",
)
FAILED = (
    "I still want to {did}, and was told {quote}",
    "When I tried to {did}, the answer was {quote}",
    "(I have not managed to|I could not) {did}(.|, and this may help.)",
)
