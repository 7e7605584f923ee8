import type * as FastCheck from "effect/FastCheck"
import { forAll } from "./forAll.ts"
import { type Law, law, type Steps, toEffect } from "./Law.ts"

/** A law that must hold for all values, checked with generated ones. `runsOf` changes the number of runs. */
export const lawForAll = <A>(
  key: Law["key"],
  title: string,
  arbitrary: FastCheck.Arbitrary<A>,
  holds: (value: A) => Steps<unknown>,
  runsOf = (runs: number): number => runs
): Law =>
  law(
    key,
    title,
    (conditions) =>
      forAll({ ...conditions, runs: runsOf(conditions.runs) }, arbitrary, (value) => toEffect(holds(value)))
  )
