import { allLaws } from "../../../test/laws/engineLaws.ts"

/** A representative law of each kind, for connection modes where running all laws would take too long. */
export const ofEachSort = allLaws.filter(({ key }) =>
  /^(model\/same-answers|races\/(all|last-seats|same-key)|locks\/order|transactions\/(snapshot|interruption|joined-refusal)|feed\/writers)$/
    .test(key)
)
