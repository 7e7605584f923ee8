import { laws } from "@trailbook/testkit/laws"

/** A representative law of each kind, for connection modes in which all laws would take too long. */
export const ofEachSort = laws.filter(({ key }) =>
  /^(model\/same-answers|races\/(all|last-seats|same-key)|locks\/order|transactions\/(snapshot|interruption|joined-refusal)|feed\/writers)$/
    .test(key)
)
