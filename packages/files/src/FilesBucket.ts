import { Files, FilesFailed } from "@trailbook/core/file"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type { S3mini } from "s3mini"

export interface BucketSettings {
  /**
   * The bucket URL, such as `https://s3.eu-central-1.amazonaws.com/trailbook-files`. A path in the URL becomes a key
   * prefix.
   */
  readonly url: string
  /** The region, such as `eu-central-1`. Providers without regions often expect `auto`. */
  readonly region: string
  readonly accessKeyId: string
  /** The secret key. It never appears in logs or messages. */
  readonly secretAccessKey: string | Redacted.Redacted
}

/**
 * Stores files in an S3-compatible bucket, such as Amazon S3, MinIO, Garage, Ceph, or R2. Keep the bucket private,
 * because Trailbook serves the files itself. Temporary failures are retried twice within a few seconds.
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
      // Import the library lazily, because most servers store files in a folder.
      const { S3mini } = yield* Effect.promise(() => import("s3mini"))
      const secretAccessKey = Redacted.isRedacted(settings.secretAccessKey)
        ? Redacted.value(settings.secretAccessKey)
        : settings.secretAccessKey

      /**
       * Sends each request with its own client, because a client's abort signal is fixed when the client is created.
       */
      const request = <A>(call: (bucket: S3mini) => Promise<A>): Effect.Effect<A, FilesFailed> =>
        Effect.tryPromise({
          try: (signal) => {
            const bucket = new S3mini({
              endpoint: settings.url,
              region: settings.region,
              accessKeyId: settings.accessKeyId,
              secretAccessKey,
              fetch: (input, init) => fetch(input, { ...init, signal })
            })
            return call(bucket)
          },
          catch: toBucketFailure
        }).pipe(
          Effect.timeoutFail({ duration: requestMs, onTimeout: () => timeoutFailure }),
          Effect.retry({ schedule: retrySchedule, times: 2, while: ({ isTransient }) => isTransient }),
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
              // Some providers respond with 404 when a missing file is deleted.
              if (getStatus(cause) !== 404) throw cause
            })
          ))
      })
    })
  )

/** Reads the settings from the program's Effect configuration. */
export const layerConfig = (config: Config.Config.Wrap<BucketSettings>): Layer.Layer<Files, ConfigError> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap<BucketSettings>(config), layer))

/** Limits how long the response can take to start, but not how long the body takes to read. */
const requestMs = 30_000

const retrySchedule = Schedule.jittered(Schedule.exponential("200 millis"))

interface BucketFailure {
  readonly message: string
  readonly isTransient: boolean
}

/** Timeouts are not retried, because the caller has already waited 30 seconds. */
const timeoutFailure: BucketFailure = { message: "The file bucket did not respond in time.", isTransient: false }

const getStatus = (cause: unknown): number | undefined =>
  cause instanceof Error && "status" in cause && typeof cause.status === "number" ? cause.status : undefined

/**
 * Converts an error. The provider's message may contain keys and addresses, so only the status and error code are
 * reported.
 */
const toBucketFailure = (cause: unknown): BucketFailure => {
  const status = getStatus(cause)
  const rawCode = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  const code = /^\w{1,40}$/.test(rawCode) ? ` ${rawCode}` : ""
  return status === undefined
    ? { message: `The file bucket is unreachable${code && ` (${code.trim()})`}.`, isTransient: true }
    : {
      message: `The file bucket responded with ${status}${code}.`,
      isTransient: status >= 500 || status === 429 || status === 408
    }
}
