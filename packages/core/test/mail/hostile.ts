import * as FastCheck from "effect/FastCheck"

/** Text that can break headers, calendar lines, message bodies, or pages. */
const knownTexts = [
  "",
  "Ada\r\nBcc: everyone@example.com",
  "Ada\nEND:VEVENT\nBEGIN:VEVENT",
  "Ada\r\n Lovelace",
  "line\u2028and\u2029paragraph\u0085next",
  "<script>alert(1)</script>",
  "\" onmouseover=\"alert(1)",
  "</title></style><img src=x>",
  "<!--",
  "&lt;b&gt; &amp; <b",
  "back\\slash\\n; semi, comma: colon",
  "\u202Egnp.exe",
  "=?utf-8?Q?Bcc=3A?=",
  "\"Ada\" <eve@example.com>, other",
  "${publicUrl} $& $1",
  "ひつじ".repeat(40),
  "👩‍👩‍👧‍👦".repeat(12),
  "half \uD83D of a pair",
  "O'Neil & Söhne"
]

const special = ["<", ">", "&", "\"", "'", ";", ",", "\\", ":", "=", "\r", "\n", "\t", "\0", "\u0007"]
const letters = [" ", "a", "é", "字", "👩"]

/** Text that users can send, plus text that no request can contain: control characters and lone surrogates. */
export const hostileText: FastCheck.Arbitrary<string> = FastCheck.oneof(
  FastCheck.constantFrom(...knownTexts),
  FastCheck.array(FastCheck.constantFrom(...special, ...letters), { maxLength: 200 }).map((parts) => parts.join("")),
  FastCheck.string({ unit: "binary", maxLength: 120 })
)
