import { kinds } from "@trailbook/core/offering/Offering"
import type { Storage } from "@trailbook/core/storage"
import * as Effect from "effect/Effect"
import type { OfferingInput } from "./OfferingSetup.ts"
import type { StepOutcome } from "./runStep.ts"
import type { Step } from "./Scenario.ts"
import type { Simulation } from "./Simulation.ts"
import type { World } from "./World.ts"

/** A scenario step as it was played. */
export interface PlayedStep {
  readonly before: World
  readonly happened: StepOutcome
  readonly after: World
}

/** Violations as sentences, or as errors with a message. Empty if the law holds. */
export type Complaints = ReadonlyArray<string | Error>

/** A property of an outfitter's offerings that always holds. */
export interface StoryLaw {
  readonly name: string
  readonly title: string
  /** The kinds of offerings that the law applies to. */
  readonly kinds: ReadonlyArray<OfferingInput["kind"]>
  /** The steps that are more frequent in the law's scenarios. */
  readonly about: ReadonlyArray<Step["_tag"]>
  readonly afterStep: (step: PlayedStep, play: Simulation) => Effect.Effect<Complaints>
  readonly atEnd: (play: Simulation) => Effect.Effect<Complaints, never, Storage>
}

/** A law's description. By default, the law applies to all kinds of offerings and uses the usual mix of steps. */
type About = Pick<StoryLaw, "name" | "title"> & Partial<Pick<StoryLaw, "about" | "kinds">>

const noComplaints = Effect.succeed([])

/** Creates a law that is checked after every step. */
export const everyStep = (law: About, afterStep: StoryLaw["afterStep"]): StoryLaw => ({
  kinds,
  about: [],
  ...law,
  afterStep,
  atEnd: () => noComplaints
})

/** Creates a law that is checked at the end of a scenario. */
export const wholeStory = (law: About, atEnd: StoryLaw["atEnd"]): StoryLaw => ({
  kinds,
  about: [],
  ...law,
  afterStep: () => noComplaints,
  atEnd
})
