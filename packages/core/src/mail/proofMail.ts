/** The email whose link proves the address of a guest who wants to book for a group, in the language of the page. */
import type { Org } from "../org/Org.ts"
import type { Language } from "../wire/Language.ts"
import type { MailContent } from "./MailContent.ts"
import { toSingleLine } from "./sanitizeHeader.ts"

interface Text {
  readonly heading: string
  readonly greeting: string
  readonly lead: (outfitter: string) => string
  readonly action: string
  readonly closing: string
}

const texts: Record<Language, Text> = {
  en: {
    heading: "Confirm your email",
    greeting: "Hello,",
    lead: (outfitter) =>
      `To book with ${outfitter}, confirm your email with the link below. Then return to the booking page and submit ` +
      `the form again. The link expires in 24 hours.`,
    action: "Confirm email",
    closing: "If you did not try to book, ignore this email. Nothing was booked."
  },
  es: {
    heading: "Confirme su correo electrónico",
    greeting: "Hola:",
    lead: (outfitter) =>
      `Para reservar con ${outfitter}, confirme su correo con el siguiente enlace. Después, vuelva a la página de ` +
      `reservas y envíe el formulario de nuevo. El enlace vence en 24 horas.`,
    action: "Confirmar correo",
    closing: "Si usted no intentó reservar, ignore este correo. No se reservó nada."
  }
}

export const proofMail = ({ name }: Org, language: Language, url: string): MailContent => {
  const { action, closing, greeting, heading, lead } = texts[language]
  const outfitter = toSingleLine(name)
  return {
    news: "held",
    language,
    outfitter,
    subject: `${heading}: ${outfitter}`,
    heading,
    greeting,
    paragraphs: [lead(outfitter)],
    rows: [],
    action: { label: action, url },
    further: [],
    closing: [closing]
  }
}
