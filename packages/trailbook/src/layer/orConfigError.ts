import type * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"

/**
 * Settings that are read by a function that throws a `TypeError` when one is
 * wrong; here that is an error of the configuration.
 */
export const orConfigError = <A, B>(
  config: Config.Config<A>,
  read: (settings: A) => B
): Effect.Effect<B, ConfigError.ConfigError> =>
  Effect.flatMap(config, (settings) =>
    Effect.suspend(() => {
      try {
        return Effect.succeed(read(settings))
      } catch (error) {
        return error instanceof TypeError ? Effect.fail(ConfigError.InvalidData([], error.message)) : Effect.die(error)
      }
    }))
