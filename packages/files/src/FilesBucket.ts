import { Files, FilesFailed } from "@trailbook/core/file/Files"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type { S3mini } from "s3mini"

export interface BucketSettings {
  /** The URL of the bucket, such as `https://s3.eu-central-1.amazonaws.com/trailbook-files`. It can have a path. */
  readonly url: string
  /** For example `eu-central-1`. For a provider without regions, see its manual. The value is often `auto`. */
  readonly region: string
  readonly accessKeyId: string
  /** Never appears in logs or messages. */
  readonly secretAccessKey: string | Redacted.Redacted
}

/**
 * Stores files in an S3-compatible bucket, such as Amazon S3, MinIO, Garage, Ceph, or R2. Transient failures are
 * retried twice, within seconds. The bucket stays private, because files are read through Trailbook.
 *
 * @example
 * import { FilesBucket } from "@trailbook/files"
 * import * as Config from "effect/Config"
 *
 * const files = FilesBucket.layerConfig({
 *   url: Config.string("BUCKET"),
 *   region: Config.succeed("eu-central-1"),
 *   accessKeyId: Config.string("S3_KEY_ID"),
 *   secretAccessKey: Config.redacted("S3_SECRET")
 * })
 */
export const layer = (settings: BucketSettings): Layer.Layer<Files> =>
  Layer.effect(
    Files,
    Effect.gen(function*() {
      // Loaded on demand, because most installations store files in a folder.
      const { S3mini } = yield* Effect.promise(() => import("s3mini"))
      const secretAccessKey = Redacted.isRedacted(settings.secretAccessKey)
        ? Redacted.value(settings.secretAccessKey)
        : settings.secretAccessKey

      /** Uses a separate client per request, so that a request can be interrupted. */
      const request = <A>(ask: (bucket: S3mini) => Promise<A>): Effect.Effect<A, FilesFailed> =>
        Effect.tryPromise({
          try: (signal) => {
            const bucket = new S3mini({
              endpoint: settings.url,
              region: settings.region,
              accessKeyId: settings.accessKeyId,
              secretAccessKey,
              fetch: (input, init) => fetch(input, { ...init, signal })
            })
            return ask(bucket)
          },
          catch: failed
        }).pipe(
          Effect.timeoutFail({ duration: requestMs, onTimeout: () => tooSlow }),
          Effect.retry({ schedule: patience, times: 2, while: ({ mayPass }) => mayPass }),
          Effect.mapError(({ message }) => new FilesFailed({ message }))
        )

      return Files.of({
        put: (key, bytes) =>
          Effect.asVoid(request((bucket) => bucket.putObject(key, bytes, "application/octet-stream"))),
        get: (key) =>
          Effect.map(
            request((bucket) => bucket.getObjectResponse(key)),
            (response) => Option.fromNullable(response?.body)
          ),
        remove: (key) =>
          Effect.asVoid(request((bucket) =>
            bucket.deleteObject(key).catch((cause: unknown) => {
              // Some providers return 404 when they delete a missing file.
              if (statusOf(cause) !== 404) throw cause
            })
          ))
      })
    })
  )

/** Like {@link layer}, with settings from the program's configuration. */
export const layerConfig = (config: Config.Config.Wrap<BucketSettings>): Layer.Layer<Files, ConfigError> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap<BucketSettings>(config), layer))

/** The timeout until a response starts. Reading its body has no limit here. */
const requestMs = 30_000

const patience = Schedule.jittered(Schedule.exponential("200 millis"))

interface Failed {
  readonly message: string
  readonly mayPass: boolean
}

/** Not retried, because the caller has already waited long enough. */
const tooSlow: Failed = { message: "The file bucket did not respond in time.", mayPass: false }

const statusOf = (cause: unknown): number | undefined =>
  cause instanceof Error && "status" in cause && typeof cause.status === "number" ? cause.status : undefined

/** Reports only the status and the name of the error. The provider's message may contain keys and addresses. */
const failed = (cause: unknown): Failed => {
  const status = statusOf(cause)
  const named = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  const code = /^\w{1,40}$/.test(named) ? ` ${named}` : ""
  return status === undefined
    ? { message: `The file bucket is unreachable${code && ` (${code.trim()})`}.`, mayPass: true }
    : {
      message: `The file bucket responded with ${status}${code}.`,
      mayPass: status >= 500 || status === 429 || status === 408
    }
}
