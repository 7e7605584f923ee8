import type * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"

/**
 * Parses configured settings with a function that throws a `TypeError` for an invalid setting, and turns that error
 * into a `ConfigError`.
 */
export const parseConfig = <A, B>(
  config: Config.Config<A>,
  parse: (settings: A) => B
): Effect.Effect<B, ConfigError.ConfigError> =>
  Effect.flatMap(config, (settings) =>
    Effect.suspend(() => {
      try {
        return Effect.succeed(parse(settings))
      } catch (error) {
        return error instanceof TypeError ? Effect.fail(ConfigError.InvalidData([], error.message)) : Effect.die(error)
      }
    }))
