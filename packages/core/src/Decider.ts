/** A `Decider` is a state machine, written as two pure functions. */
import * as Either from "effect/Either"

interface TaggedValue {
  readonly _tag: string
}

/**
 * `decide` returns the events for a command, with one rule per command. `evolve` applies an event to the state. For a
 * repeated idempotent command, `decide` returns no events. A command without a rule is a type error. The result type
 * contains only the refusals that the caller's command can return. The state of a `Creation` command is `null`.
 */
export interface Decider<
  State,
  Command extends TaggedValue,
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

/** Decides a command and applies its events. A caller therefore cannot store a state without the matching events. */
export const run = <
  State,
  Command extends TaggedValue,
  Event,
  Refusals extends { readonly [Tag in Command["_tag"]]: unknown },
  Creation extends Command["_tag"] = never
>(decider: Decider<State, Command, Event, Refusals, Creation>) =>
<ActualCommand extends Exclude<Command, { readonly _tag: Creation }>>(
  state: State,
  command: ActualCommand
): Either.Either<Decision<State, Event>, Refusals[ActualCommand["_tag"]]> =>
  decideAndApply<State, Event, Refusals[ActualCommand["_tag"]]>(decider, state, command)

/** Like {@link run}, but for a command that creates the state. */
export const create = <
  State,
  Command extends TaggedValue,
  Event,
  Refusals extends { readonly [Tag in Command["_tag"]]: unknown },
  Creation extends Command["_tag"]
>(decider: Decider<State, Command, Event, Refusals, Creation>) =>
<ActualCommand extends Extract<Command, { readonly _tag: Creation }>>(
  command: ActualCommand
): Either.Either<Decision<State, Event>, Refusals[ActualCommand["_tag"]]> =>
  decideAndApply<State, Event, Refusals[ActualCommand["_tag"]]>(decider, null, command)

const decideAndApply = <State, Event, Left>(
  decider: unknown,
  state: State | null,
  command: TaggedValue
): Either.Either<Decision<State, Event>, Left> => {
  // A cast is needed because the compiler cannot infer that each rule accepts the command with its tag.
  const { decide, evolve } = decider as {
    readonly decide: Readonly<
      Record<string, (state: State | null, command: TaggedValue) => Either.Either<ReadonlyArray<Event>, Left>>
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

/** Returns whether a patch changes any field of the state. Compares values as JSON. */
export const hasChanges = <State extends object>(state: State, patch: Partial<State>): boolean =>
  (Object.keys(patch) as Array<keyof State>).some((key) => JSON.stringify(state[key]) !== JSON.stringify(patch[key]))
