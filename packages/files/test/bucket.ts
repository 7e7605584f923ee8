import * as FilesBucket from "@trailbook/files/FilesBucket"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as S3Server from "./S3Server.ts"

export const credentials = {
  region: "eu-central-1",
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
}

export const server = Effect.acquireRelease(
  Effect.promise(() => S3Server.start(credentials)),
  ({ close }) => Effect.promise(close)
)

/** A bucket on its own fake server. */
export const bucket = Layer.unwrapScoped(
  Effect.map(server, ({ origin }) => FilesBucket.layer({ ...credentials, url: `${origin}/trailbook-files` }))
)
