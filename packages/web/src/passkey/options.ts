/**
 * What a browser is asked for (WebAuthn), as JSON. The device keeps the passkey, so whoever
 * signs in types nothing, and it makes sure that it is them. Who made it is not asked.
 */
import { challengeMinutes, type Passkey } from "@trailbook/core/staff/Passkey"
import type { RelyingParty } from "@trailbook/core/staff/PasskeyVerifier"
import type { StaffMember } from "@trailbook/core/staff/StaffMember"

const timeout = challengeMinutes * 60_000

export const requestOptions = ({ host }: RelyingParty, challenge: string): object => ({
  challenge,
  rpId: host,
  timeout,
  userVerification: "required",
  allowCredentials: []
})

export const creationOptions = (
  { host }: RelyingParty,
  challenge: string,
  { email, id, name }: StaffMember,
  /** What the outfitter is called. */
  org: string,
  known: ReadonlyArray<Passkey>
): object => ({
  challenge,
  rp: { id: host, name: org },
  // What the device says when it is used, by which it is found whose it is; no address.
  user: { id: Buffer.from(id).toString("base64url"), name: email, displayName: name === "" ? email : name },
  // Ed25519, ES256 and RS256, the one wanted most first.
  pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: "public-key", alg })),
  timeout,
  attestation: "none",
  // A device has one for each person.
  excludeCredentials: known.map(({ id }) => ({ type: "public-key", id })),
  authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" }
})
