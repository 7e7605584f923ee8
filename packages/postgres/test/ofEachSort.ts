import { laws } from "@trailbook/testkit/laws"

/** Of each sort of law one that says much, for ways to the database on which all of them would take too long. */
export const ofEachSort = laws.filter(({ key }) =>
  /^(model\/same-answers|races\/(all|last-seats|same-key)|locks\/order|transactions\/(snapshot|interruption|joined-refusal)|feed\/writers)$/
    .test(key)
)
