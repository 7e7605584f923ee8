/**
 * Writes the log as one JSON object per line with `time`, `level`, `msg`, and annotations. The log contains IDs,
 * operation names, and numbers, but no bodies, addresses, guest names, or keys.
 */
import * as Cause from "effect/Cause"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import type { LineWriter } from "./LineWriter.ts"

/** The log levels, from most to least verbose. */
export const levels = ["debug", "info", "warn", "error", "silent"] as const

export type Level = (typeof levels)[number]

/** Returns whether entries of a level are logged if `minimum` is the lowest logged level. */
export const isLevelEnabled = (level: Level, minimum: Level): boolean =>
  levels.indexOf(level) >= levels.indexOf(minimum)

/** Formats one log entry, without a newline. */
export const formatEntry = (time: Date, level: Level, msg: string, fields: object = {}): string =>
  JSON.stringify({ time: time.toISOString(), level, msg, ...fields })

/** Replaces Effect's default logger with one that writes JSON lines. */
export const layer = (writer: LineWriter, level: Level): Layer.Layer<never> =>
  Layer.merge(
    Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ annotations, cause, date, logLevel, message }) => {
        const [msg = "", ...rest] = (Array.isArray(message) ? message : [message]).map(textOf)
        writer.write(formatEntry(date, levelOf(logLevel), msg, {
          ...Object.fromEntries(HashMap.toEntries(annotations)),
          ...(rest.length === 0 ? {} : { detail: rest.join(" ") }),
          ...(Cause.isEmpty(cause) ? {} : { cause: Cause.pretty(cause, { renderErrorCause: true }) })
        }))
      })
    ),
    Logger.minimumLogLevel(minimum[level])
  )

const minimum: Record<Level, LogLevel.LogLevel> = {
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warn: LogLevel.Warning,
  error: LogLevel.Error,
  silent: LogLevel.None
}

const levelOf = ({ ordinal }: LogLevel.LogLevel): Level =>
  ordinal >= LogLevel.Error.ordinal
    ? "error"
    : ordinal >= LogLevel.Warning.ordinal
    ? "warn"
    : ordinal >= LogLevel.Info.ordinal
    ? "info"
    : "debug"

const textOf = (message: unknown): string =>
  typeof message === "string" ? message : message instanceof Error ? message.message : JSON.stringify(message) ?? ""
