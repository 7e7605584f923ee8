/** A `Decider` is a state machine, written as two pure functions. */
import * as Either from "effect/Either"

interface Tagged {
  readonly _tag: string
}

/**
 * `decide` returns the events for a command, with one rule per command. `evolve` applies an event to the state. An
 * idempotent command returns no events when it is repeated. A command without a rule is a type error, and callers see
 * only the refusals of the commands that they send. A `Creation` command is decided on `null`.
 */
export interface Decider<
  State,
  Command extends Tagged,
  Event,
  Refusals extends { readonly [Tag in Command["_tag"]]: unknown },
  Creation extends Command["_tag"] = never
> {
  readonly decide: {
    readonly [Tag in Command["_tag"]]: (
      state: Tag extends Creation ? null : State,
      command: Extract<Command, { readonly _tag: Tag }>
    ) => Either.Either<ReadonlyArray<Event>, Refusals[Tag]>
  }
  readonly evolve: (state: [Creation] extends [never] ? State : State | null, event: Event) => State
}

export interface Decision<State, Event> {
  readonly state: State
  readonly events: ReadonlyArray<Event>
}

/** Decides a command and applies its events so that a caller cannot store a state without matching events. */
export const run = <
  State,
  Command extends Tagged,
  Event,
  Refusals extends { readonly [Tag in Command["_tag"]]: unknown },
  Creation extends Command["_tag"] = never
>(decider: Decider<State, Command, Event, Refusals, Creation>) =>
<Given extends Exclude<Command, { readonly _tag: Creation }>>(
  state: State,
  command: Given
): Either.Either<Decision<State, Event>, Refusals[Given["_tag"]]> =>
  decideAndApply<State, Event, Refusals[Given["_tag"]]>(decider, state, command)

/** Like {@link run}, for a command that creates the state. */
export const create = <
  State,
  Command extends Tagged,
  Event,
  Refusals extends { readonly [Tag in Command["_tag"]]: unknown },
  Creation extends Command["_tag"]
>(decider: Decider<State, Command, Event, Refusals, Creation>) =>
<Given extends Extract<Command, { readonly _tag: Creation }>>(
  command: Given
): Either.Either<Decision<State, Event>, Refusals[Given["_tag"]]> =>
  decideAndApply<State, Event, Refusals[Given["_tag"]]>(decider, null, command)

const decideAndApply = <State, Event, Left>(
  decider: unknown,
  state: State | null,
  command: Tagged
): Either.Either<Decision<State, Event>, Left> => {
  // The cast is needed because the compiler cannot infer that the rule for a tag accepts the command with this tag and
  // its state.
  const { decide, evolve } = decider as {
    readonly decide: Readonly<
      Record<string, (state: State | null, command: Tagged) => Either.Either<ReadonlyArray<Event>, Left>>
    >
    readonly evolve: (state: State | null, event: Event) => State
  }
  const rule = decide[command._tag]
  if (rule === undefined) throw new Error(`Invariant violated: no rule for ${command._tag}`)
  return Either.map(
    rule(state, command),
    (events) => ({ state: events.reduce<State | null>(evolve, state) as State, events })
  )
}

/** Returns whether a patch changes anything. Values are compared as JSON. */
export const changes = <State extends object>(state: State, patch: Partial<State>): boolean =>
  (Object.keys(patch) as Array<keyof State>).some((key) => JSON.stringify(state[key]) !== JSON.stringify(patch[key]))
