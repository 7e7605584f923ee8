import { type Mailer, SignInMail } from "@trailbook/core/mail"
import { OAuthClients } from "@trailbook/core/oauth"
import { Passkeys, SignInRequests } from "@trailbook/core/staff"
import * as PasskeyReader from "@trailbook/web/passkey/PasskeyVerifier"
import * as DocumentReader from "@trailbook/webhook/DocumentReader"
import * as Layer from "effect/Layer"
import { readVersion } from "../readVersion.ts"

/**
 * Returns the services that the staff pages need in addition to the domain: sign-in emails, passkeys, and a reader for
 * OAuth client documents. The reader can fetch these documents from public addresses and from the networks in `allow`.
 */
export const staffPagesLayer = <E>(mailer: Layer.Layer<Mailer, E>, allow: ReadonlyArray<string> | undefined) =>
  Layer.merge(
    Layer.provide(SignInRequests.layer, Layer.provide(SignInMail.layer, mailer)),
    Layer.provide(
      OAuthClients.layer,
      DocumentReader.layer({ allow: allow ?? [], userAgent: `Trailbook/${readVersion()}` })
    )
  ).pipe(Layer.merge(Layer.provide(Passkeys.layer, PasskeyReader.layer)))
