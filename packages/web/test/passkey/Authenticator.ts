/** A software authenticator that creates and uses passkeys, and can return invalid responses. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"

export interface Options {
  readonly challenge: string
  readonly rpId?: string
  readonly rp?: { readonly id: string }
  readonly user?: { readonly id: string }
}

/** The ways in which a response can be invalid. */
export interface Defects {
  readonly origin?: string
  readonly host?: string
  readonly counter?: number
  readonly isVerified?: boolean
  readonly isPresent?: boolean
  /** Whether to set the backup state flag without the backup eligibility flag, which WebAuthn forbids. */
  readonly isOdd?: boolean
  /** Whether the response was created in a cross-origin frame. */
  readonly isWithin?: boolean
  /** The ceremony type in the client data. */
  readonly type?: string
  /** The ID of another passkey. */
  readonly id?: string
  /** Another device, whose key signs the response. */
  readonly by?: Authenticator
  readonly challenge?: string
  readonly user?: string
}

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64url")

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest()

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** The supported key types, and two unsupported types: `short` and `p384`. */
const kinds = {
  es256: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  ed25519: () => generateKeyPairSync("ed25519"),
  rs256: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
  short: () => generateKeyPairSync("rsa", { modulusLength: 1024 }),
  p384: () => generateKeyPairSync("ec", { namedCurve: "P-384" })
}

export type Kind = keyof typeof kinds

export class Authenticator {
  readonly id = base64url(randomBytes(32))
  readonly #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  readonly #origin: string
  counter = 0
  user = ""

  constructor(origin: string, kind: Kind = "es256") {
    this.#origin = origin
    this.#keys = kinds[kind]()
  }

  #clientData(
    type: string,
    options: Options,
    { challenge = options.challenge, isWithin = false, origin = this.#origin, type: ceremonyType = type }: Defects
  ) {
    return Buffer.from(JSON.stringify({ type: ceremonyType, challenge, origin, crossOrigin: isWithin }))
  }

  #authData(
    host: string,
    flags: number,
    { counter = ++this.counter, isOdd = false, isPresent = true, isVerified = true }: Defects
  ) {
    return Buffer.concat([
      sha256(host),
      Buffer.from([flags | (isPresent ? 1 : 0) | (isVerified ? 4 : 0) | (isOdd ? 16 : 0)]),
      uint32(counter)
    ])
  }

  #signed(data: Uint8Array) {
    const { privateKey } = this.#keys
    return sign(privateKey.asymmetricKeyType === "ed25519" ? null : "sha256", data, privateKey)
  }

  create(options: Options, wrong: Defects = {}): string {
    this.user = options.user?.id ?? ""
    const id = Buffer.from(this.id, "base64url")
    const authData = Buffer.concat([
      this.#authData(wrong.host ?? options.rp?.id ?? "", 0x40, { counter: 0, ...wrong }),
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id
    ])
    return JSON.stringify({
      id: wrong.id ?? this.id,
      rawId: wrong.id ?? this.id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(this.#clientData("webauthn.create", options, wrong)),
        authenticatorData: base64url(authData),
        publicKey: base64url(this.#keys.publicKey.export({ format: "der", type: "spki" })),
        transports: ["internal"]
      }
    })
  }

  get(options: Options, wrong: Defects = {}): string {
    const clientData = this.#clientData("webauthn.get", options, wrong)
    const authData = this.#authData(wrong.host ?? options.rpId ?? "", 0, wrong)
    const signature = (wrong.by ?? this).#signed(Buffer.concat([authData, sha256(clientData)]))
    return JSON.stringify({
      id: wrong.id ?? this.id,
      rawId: wrong.id ?? this.id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(signature),
        userHandle: wrong.user ?? this.user
      }
    })
  }
}
