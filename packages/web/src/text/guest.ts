import { ensureFinalPeriod } from "@trailbook/core/org"

/** The text for the guest's booking page. */
export const guestEnglish = {
  title: (offering: string) => `Your booking: ${offering}`,
  booked: "You are booked.",
  bookedText: "Bookmark this page. It shows all your booking details.",
  held: "Your spot is held.",
  heldText: (until: string) => `Your booking is not confirmed yet. We will hold your spot until ${until}.`,
  confirmFirst: "Confirm your booking to keep your spot.",
  confirmText: (until: string) => `Your spot is held until ${until}.`,
  confirm: "Confirm booking",
  confirmed: "Thank you. Your booking is confirmed.",
  payFirst: "Pay to confirm your booking.",
  paidAlready: "I have already paid",
  left: "Time left",
  lapsed: "Your hold has expired.",
  lapsedText: "Your spot was released. To book again, choose a time.",
  again: "Choose a new time",
  another: "Book again",
  code: "QR code for check-in",
  showCode: "Show this code when you arrive.",
  showStaff: "Show this to our staff",
  showStaffText: (org: string) => `Staff at ${org} will scan this code to check you in.`,
  cancelled: "This booking is canceled.",
  cancelledAt: (at: string) => `The booking was canceled on ${at}.`,
  over: "We hope you had a great time.",
  overText: "This trip has ended.",
  running: "Your trip has started.",
  runningText: "Have a great time.",
  review: "Leave a review",
  erased: "Your data was deleted.",
  erasedText: "Your name, contact details, and messages were deleted at your request. Only the booking itself remains.",
  map: "Open map",
  calendar: "Add to calendar",
  change: "Change time",
  cancel: "Cancel booking",
  closedNever: (org: string) => `To change or cancel your booking, send ${org} a message below.`,
  closedSince: (org: string, until: string) =>
    `The deadline for changes was ${until}. To request a change, send ${org} a message below.`,
  openUntil: (until: string) => `You can change or cancel your booking until ${until}.`,
  openProven: (until: string) =>
    `You can cancel your booking until ${until}. To change the time, ` +
    "open this page from the link in your confirmation email.",
  summary: "Summary",
  periods: (count: string, length: string) => `${count} × ${length}`,
  days: (count: number) => count === 1 ? "1 day" : `${count} days`,
  hours: (count: string) => count === "1" ? "1 hour" : `${count} hours`,
  minutes: (count: number) => `${count} minutes`,
  howLong: "Duration",
  name: "Name",
  notes: "Your note",
  before: "Previous time",
  payment: "Payment",
  balance: "Balance due",
  payBalance: (amount: string) => `Pay the balance: ${amount}`,
  paidOn: (day: string) => `Paid online on ${day}`,
  notPaid: "Not paid yet",
  notOnline: "No online payment",
  refund: "Refund",
  refunds: {
    due: (amount: string) => `Your refund of ${amount} is being processed. It can take a few days.`,
    done: (amount: string) => `${amount} was refunded to the card or account you paid with.`,
    refused: (amount: string) =>
      `Your refund of ${amount} is delayed and will be retried automatically. The outfitter has been notified.`
  },
  disputed: (amount: string) =>
    `You paid ${amount}. This payment is disputed, so your bank decides whether it is refunded.`,
  cancelNow: (amount: string) => `Cancel booking (${amount} refund)`,
  kept: (amount: string) => `You paid ${amount}. No refund is due because the trip had already started.`,
  messages: "Messages",
  noMessages: "No messages yet.",
  you: "You",
  automatic: (org: string) => `${org} (automatic)`,
  photo: (name: string) => `Photo: ${name}`,
  write: (org: string) => `Message ${org}`,
  files: "Photos or PDFs, up to 10 MB each",
  send: "Send message",
  sent: "Your message was sent.",
  whole: (org: string) => `For 1 hour, this browser shows all messages between you and ${ensureFinalPeriod(org)}`,
  part: "Only messages about this booking are shown here.",
  ask: "Email me a link to all messages",
  asked: "If this booking has an email address, we sent a link to it. The link works for 15 minutes.",
  changed: "Your booking was moved.",
  paidNow: "Thank you. We received your payment.",
  move: {
    title: "Choose another time",
    lead: (now: string) => `Current time: ${now}.`,
    from: "Start date",
    show: "Show times",
    none: (from: string, to: string) => `No times are available from ${from} to ${to}.`,
    earlier: "Earlier",
    later: "Later",
    next: "Continue",
    choose: "Choose a time.",
    check: "Move your booking?",
    old: "Current time",
    new: "New time",
    same: "Your price, payment, and reference stay the same. You will get a confirmation by email.",
    do: "Move booking",
    stay: "Keep current time",
    lost: "That time is no longer available. Choose another time."
  },
  stop: {
    title: "Cancel your booking?",
    consequence: "Your spot will become available to other guests. This cannot be undone.",
    refund: (amount: string) =>
      `Your payment of ${amount} will be refunded to the card or account you paid with. It can take a few days.`,
    part: (amount: string, paidText: string) =>
      `You paid ${paidText}. ${amount} will be refunded to the card or account you paid with. It can take a few days.`,
    desk: (amount: string) => `The outfitter owes you a refund of ${amount}. Contact the outfitter to receive it.`,
    nothingBack: (paidText: string) => `You paid ${paidText}. Under the cancellation policy, no refund is due.`,
    disputed: (amount: string) =>
      `You paid ${amount}, and the payment is disputed. Canceling does not refund the payment. Your bank decides the dispute.`,
    kept: (amount: string) => `You paid ${amount}. No refund is due because the trip has already started.`,
    nothing: "You did not pay online, so there is nothing to refund.",
    mail: "You will get a confirmation by email.",
    stay: "Keep booking"
  },
  closed: {
    title: "This booking cannot be changed online",
    never: (org: string) => `To change or cancel your booking, send ${org} a message from your booking page.`,
    since: (org: string, until: string) =>
      `The deadline for changes was ${until}. To request a change, send ${org} a message from your booking page.`,
    notNow: (org: string) =>
      `This booking cannot be changed online in its current state. To request a change, send ${org} a message.`,
    back: "Back to your booking"
  },
  checkout: {
    title: "Pay for your booking",
    lead: (until: string) => `Your spot is held until ${until}. Pay before then to confirm your booking.`,
    go: "Continue to payment",
    nothing: "No payment is due for this booking.",
    late:
      "Your hold has expired. If you have just paid, we will confirm your booking or refund your payment. You will get an email in either case.",
    wait: "Waiting for your payment",
    waitText: "This page updates automatically. You can also close it. We will email you when your payment arrives."
  },
  link: {
    title: "Show all your messages",
    text: (org: string) =>
      `Your booking page will show all messages between you and ${org} in this browser for 1 hour.`,
    do: "Show messages",
    over: "This link has expired or was already used.",
    another: "Go to your booking to request a new link"
  },
  wrong: {
    empty: "Enter a message.",
    long: "Shorten your message to 5,000 characters or fewer.",
    type: "Unsupported file type. Upload a JPEG, PNG, WebP, HEIC, or PDF.",
    large: "A file is larger than 10 MB. Choose a smaller file.",
    many: "Choose at most 5 files per message.",
    broken: "A file is damaged and cannot be read. Choose another file.",
    later: "Files cannot be uploaded right now. Try again in a minute, or send the message without files.",
    messages: (wait: string) => `You have reached the daily message limit. Try again in ${wait}.`,
    files: (wait: string) =>
      `You have reached the daily file limit. Try again in ${wait}, or send the message without files.`
  }
}

export const guestSpanish: typeof guestEnglish = {
  title: (offering) => `Su reserva: ${offering}`,
  booked: "Su reserva está confirmada.",
  bookedText: "Guarde esta página en sus favoritos. Muestra todos los detalles de su reserva.",
  held: "Guardamos su lugar.",
  heldText: (until) => `Su reserva aún no está confirmada. Guardaremos su lugar hasta el ${until}.`,
  confirmFirst: "Confirme su reserva para conservar su lugar.",
  confirmText: (until) => `Guardamos su lugar hasta el ${until}.`,
  confirm: "Confirmar reserva",
  confirmed: "Gracias. Su reserva está confirmada.",
  payFirst: "Pague para confirmar su reserva.",
  paidAlready: "Ya pagué",
  left: "Tiempo restante",
  lapsed: "Su reserva temporal venció.",
  lapsedText: "Su lugar se liberó. Para reservar de nuevo, elija una hora.",
  again: "Elegir otra hora",
  another: "Reservar de nuevo",
  code: "Código QR para registrar su llegada",
  showCode: "Muestre este código al llegar.",
  showStaff: "Muestre esto a nuestro personal",
  showStaffText: (org: string) => `El personal de ${org} escaneará este código para registrar su llegada.`,
  cancelled: "Esta reserva está cancelada.",
  cancelledAt: (at) => `La reserva se canceló el ${at}.`,
  over: "Esperamos que la haya disfrutado.",
  overText: "Esta actividad ya terminó.",
  running: "Su actividad ya empezó.",
  runningText: "¡Que la disfrute!",
  review: "Dejar una reseña",
  erased: "Se eliminaron sus datos.",
  erasedText: "A petición suya, se eliminaron su nombre, sus datos de contacto y sus mensajes. Solo queda la reserva.",
  map: "Abrir mapa",
  calendar: "Agregar al calendario",
  change: "Cambiar hora",
  cancel: "Cancelar reserva",
  closedNever: (org) => `Para cambiar o cancelar su reserva, envíe un mensaje a ${org} más abajo.`,
  closedSince: (org, until) =>
    `El plazo para hacer cambios terminó el ${until}. Para pedir un cambio, envíe un mensaje a ${org} más abajo.`,
  openUntil: (until) => `Puede cambiar o cancelar su reserva hasta el ${until}.`,
  openProven: (until) =>
    `Puede cancelar su reserva hasta el ${until}. Para cambiar la hora, ` +
    "abra esta página desde el enlace de su correo de confirmación.",
  summary: "Resumen",
  periods: (count, length) => `${count} × ${length}`,
  days: (count) => count === 1 ? "1 día" : `${count} días`,
  hours: (count) => count === "1" ? "1 hora" : `${count} horas`,
  minutes: (count) => `${count} minutos`,
  howLong: "Duración",
  name: "Nombre",
  notes: "Su nota",
  before: "Horario anterior",
  payment: "Pago",
  balance: "Saldo pendiente",
  payBalance: (amount) => `Pagar el saldo: ${amount}`,
  paidOn: (day) => `Pagado en línea el ${day}`,
  notPaid: "Pendiente de pago",
  notOnline: "Sin pago en línea",
  refund: "Reembolso",
  refunds: {
    due: (amount) => `Su reembolso de ${amount} está en proceso. Puede tardar unos días.`,
    done: (amount) => `Reembolsamos ${amount} a la tarjeta o cuenta con la que pagó.`,
    refused: (amount) =>
      `Su reembolso de ${amount} está retrasado y se reintentará automáticamente. Ya se avisó a la empresa.`
  },
  disputed: (amount) => `Pagó ${amount}. Este pago está en disputa, así que su banco decide si se reembolsa.`,
  cancelNow: (amount) => `Cancelar reserva (reembolso: ${amount})`,
  kept: (amount) => `Pagó ${amount}. No corresponde un reembolso porque la actividad ya había empezado.`,
  messages: "Mensajes",
  noMessages: "Aún no hay mensajes.",
  you: "Usted",
  automatic: (org) => `${org} (automático)`,
  photo: (name) => `Foto: ${name}`,
  write: (org) => `Enviar un mensaje a ${org}`,
  files: "Fotos o PDF, hasta 10 MB cada uno",
  send: "Enviar mensaje",
  sent: "Se envió su mensaje.",
  whole: (org) => `Durante 1 hora, este navegador muestra todos los mensajes entre usted y ${ensureFinalPeriod(org)}`,
  part: "Aquí solo se muestran los mensajes sobre esta reserva.",
  ask: "Recibir por correo un enlace a todos los mensajes",
  asked:
    "Si esta reserva tiene un correo electrónico, enviamos un enlace a esa dirección. El enlace funciona durante 15 minutos.",
  changed: "Cambiamos el horario de su reserva.",
  paidNow: "Gracias. Recibimos su pago.",
  move: {
    title: "Elija otra hora",
    lead: (now) => `Horario actual: ${now}.`,
    from: "Fecha de inicio",
    show: "Ver horarios",
    none: (from, to) => `No hay horarios disponibles del ${from} al ${to}.`,
    earlier: "Anteriores",
    later: "Siguientes",
    next: "Continuar",
    choose: "Elija una hora.",
    check: "¿Cambiar el horario de su reserva?",
    old: "Horario actual",
    new: "Horario nuevo",
    same: "El precio, el pago y la referencia no cambian. Recibirá una confirmación por correo.",
    do: "Cambiar horario",
    stay: "Conservar el horario actual",
    lost: "Ese horario ya no está disponible. Elija otro horario."
  },
  stop: {
    title: "¿Cancelar su reserva?",
    consequence: "Su lugar quedará disponible para otras personas. Esta acción no se puede deshacer.",
    refund: (amount) => `Le reembolsaremos ${amount} a la tarjeta o cuenta con la que pagó. Puede tardar unos días.`,
    part: (amount, paidText) =>
      `Pagó ${paidText}. Le reembolsaremos ${amount} a la tarjeta o cuenta con la que pagó. Puede tardar unos días.`,
    desk: (amount) => `La empresa le debe un reembolso de ${amount}. Comuníquese con la empresa para recibirlo.`,
    nothingBack: (paidText) => `Pagó ${paidText}. Según la política de cancelación, no corresponde ningún reembolso.`,
    disputed: (amount) =>
      `Pagó ${amount} y el pago está en disputa. Cancelar la reserva no reembolsa el pago. Su banco decide la disputa.`,
    kept: (amount) => `Pagó ${amount}. No corresponde un reembolso porque la actividad ya empezó.`,
    nothing: "No pagó en línea, así que no hay nada que reembolsar.",
    mail: "Recibirá una confirmación por correo.",
    stay: "Conservar reserva"
  },
  closed: {
    title: "Esta reserva no se puede cambiar en línea",
    never: (org) => `Para cambiar o cancelar su reserva, envíe un mensaje a ${org} desde la página de su reserva.`,
    since: (org, until) =>
      `El plazo para hacer cambios terminó el ${until}. Para pedir un cambio, envíe un mensaje a ${org} desde la página de su reserva.`,
    notNow: (org) =>
      `Por su estado actual, esta reserva no se puede cambiar en línea. Para pedir un cambio, envíe un mensaje a ${org}.`,
    back: "Volver a su reserva"
  },
  checkout: {
    title: "Pagar su reserva",
    lead: (until) => `Guardamos su lugar hasta el ${until}. Pague antes de esa hora para confirmar su reserva.`,
    go: "Continuar al pago",
    nothing: "Esta reserva no tiene pagos pendientes.",
    late:
      "Su reserva temporal venció. Si acaba de pagar, confirmaremos su reserva o le reembolsaremos el pago. En ambos casos recibirá un correo.",
    wait: "Esperando su pago",
    waitText:
      "Esta página se actualiza automáticamente. También puede cerrarla. Le enviaremos un correo cuando llegue el pago."
  },
  link: {
    title: "Mostrar todos sus mensajes",
    text: (org) =>
      `La página de su reserva mostrará todos los mensajes entre usted y ${org} en este navegador durante 1 hora.`,
    do: "Mostrar mensajes",
    over: "Este enlace venció o ya se usó.",
    another: "Ir a su reserva para pedir otro enlace"
  },
  wrong: {
    empty: "Escriba un mensaje.",
    long: "Acorte el mensaje a 5,000 caracteres como máximo.",
    type: "Tipo de archivo no admitido. Suba un archivo JPEG, PNG, WebP, HEIC o PDF.",
    large: "Un archivo supera los 10 MB. Elija un archivo más pequeño.",
    many: "Elija 5 archivos como máximo por mensaje.",
    broken: "Un archivo está dañado y no se puede leer. Elija otro archivo.",
    later:
      "En este momento no se pueden subir archivos. Intente de nuevo en un minuto o envíe el mensaje sin archivos.",
    messages: (wait) => `Alcanzó el límite diario de mensajes. Intente de nuevo en ${wait}.`,
    files: (wait) =>
      `Alcanzó el límite diario de archivos. Intente de nuevo en ${wait} o envíe el mensaje sin archivos.`
  }
}
