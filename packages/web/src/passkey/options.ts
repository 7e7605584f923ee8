/**
 * WebAuthn options as JSON. Passkeys are discoverable, so users do not type a username, and user verification is
 * required. Attestation is not requested.
 */
import { challengeMinutes, type Passkey, type RelyingParty, type StaffMember } from "@trailbook/core/staff"

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
  /** The org's display name. */
  org: string,
  passkeys: ReadonlyArray<Passkey>
): object => ({
  challenge,
  rp: { id: host, name: org },
  // The user handle that the authenticator returns at sign-in. It identifies the staff member and does not contain an
  // email address.
  user: { id: Buffer.from(id).toString("base64url"), name: email, displayName: name === "" ? email : name },
  // Ed25519, ES256, and RS256, in order of preference.
  pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: "public-key", alg })),
  timeout,
  attestation: "none",
  // Prevents a staff member from adding a second passkey on the same device.
  excludeCredentials: passkeys.map(({ id }) => ({ type: "public-key", id })),
  authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" }
})
