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
  /** The address of the bucket, such as `https://s3.eu-central-1.amazonaws.com/trailbook-files`; a path may follow. */
  readonly url: string
  /** Such as `eu-central-1`; what a provider without regions wants is said in its manual, often `auto`. */
  readonly region: string
  readonly accessKeyId: string
  /** It is shown in no log and no message. */
  readonly secretAccessKey: string | Redacted.Redacted
}

/**
 * `Files` in a bucket of an object storage that speaks S3: that of Amazon, MinIO,
 * Garage, Ceph, R2 and others. What fails for a reason that may pass is tried again
 * twice, within seconds. The bucket is private: whoever reads a file asks Trailbook.
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
      // Most services have their files in a folder, and need not load it.
      const { S3mini } = yield* Effect.promise(() => import("s3mini"))
      const secretAccessKey = Redacted.isRedacted(settings.secretAccessKey)
        ? Redacted.value(settings.secretAccessKey)
        : settings.secretAccessKey

      /** A request goes by a client of its own, so that it can be interrupted. */
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
              // Some say so of what is not there.
              if (statusOf(cause) !== 404) throw cause
            })
          ))
      })
    })
  )

/** The same, with settings that are read from the program's configuration. */
export const layerConfig = (config: Config.Config.Wrap<BucketSettings>): Layer.Layer<Files, ConfigError> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap<BucketSettings>(config), layer))

/** Until the answer has begun; how long it is read is its reader's matter. */
const requestMs = 30_000

const patience = Schedule.jittered(Schedule.exponential("200 millis"))

interface Failed {
  readonly message: string
  readonly mayPass: boolean
}

/** Who asked has waited long enough. */
const tooSlow: Failed = { message: "The bucket of files takes too long.", mayPass: false }

const statusOf = (cause: unknown): number | undefined =>
  cause instanceof Error && "status" in cause && typeof cause.status === "number" ? cause.status : undefined

/** What the storage says of itself may hold keys and addresses, so only its status and the name of its error are told. */
const failed = (cause: unknown): Failed => {
  const status = statusOf(cause)
  const named = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  const code = /^\w{1,40}$/.test(named) ? ` ${named}` : ""
  return status === undefined
    ? { message: `The bucket of files cannot be reached${code && ` (${code.trim()})`}.`, mayPass: true }
    : {
      message: `The bucket of files answered ${status}${code}.`,
      mayPass: status >= 500 || status === 429 || status === 408
    }
}
