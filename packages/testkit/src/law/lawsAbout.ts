import type { Storage } from "@trailbook/core/storage/Storage"
import * as Effect from "effect/Effect"
import type * as FastCheck from "effect/FastCheck"
import { type Law, type Steps, toEffect } from "./Law.ts"
import { lawForAll } from "./lawForAll.ts"

/** Builds laws with a common setup. A case's first generated value is stored, and the law receives the stored data. */
export const lawsAbout =
  <Given, Stored>(stored: (given: Given) => Effect.Effect<Stored, never, Storage>) =>
  <Rest extends ReadonlyArray<unknown>>(
    key: Law["key"],
    title: string,
    arbitrary: FastCheck.Arbitrary<readonly [Given, ...Rest]>,
    holds: (stored: Stored, ...rest: Rest) => Steps<unknown>,
    runsOf?: (runs: number) => number
  ): Law =>
    lawForAll(
      key,
      title,
      arbitrary,
      ([given, ...rest]) => Effect.flatMap(stored(given), (there) => toEffect(holds(there, ...rest))),
      runsOf
    )
