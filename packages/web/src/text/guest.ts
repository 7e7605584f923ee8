import { withFullStop } from "@trailbook/core/org/withFullStop"

/** Texts of the guest's booking page. */
export const guestEnglish = {
  title: (offering: string) => `Your booking: ${offering}`,
  booked: "You are booked.",
  bookedText: "Bookmark this page. It shows all the details of your booking.",
  held: "Your place is held.",
  heldText: (until: string) => `We are holding it until ${until}. Your booking is not confirmed yet.`,
  confirmFirst: "Confirm your booking to keep your place.",
  confirmText: (until: string) => `Your place is held until ${until}.`,
  confirm: "Confirm booking",
  checkMail: "Check your email to confirm.",
  checkMailText: (email: string, until: string) =>
    `We sent a link to ${email}. Open it by ${until} to confirm your booking. After that, the place is released.`,
  confirmed: "Thank you. Your booking is confirmed.",
  payFirst: "Pay to confirm your booking.",
  payText: (until: string) => `Your place is held until ${until}.`,
  paidAlready: "I have already paid",
  left: "Time left",
  lapsed: "Your hold has expired.",
  lapsedText: "Your place was released. To book again, choose a time.",
  again: "Choose a new time",
  another: "Book again",
  cancelled: "This booking is canceled.",
  cancelledAt: (at: string) => `It was canceled on ${at}.`,
  over: "We hope you had a great time.",
  overText: "This trip has ended.",
  running: "Your trip has started.",
  runningText: "Have a great time.",
  review: "Leave a review",
  erased: "Your data was deleted.",
  erasedText: "Your name, contact details, and messages were deleted on request. Only the booking itself remains.",
  where: "Meeting point",
  map: "Open map",
  calendar: "Add to calendar",
  change: "Change time",
  cancel: "Cancel booking",
  closedNever: (org: string) => `To change or cancel your booking, send ${org} a message below.`,
  closedSince: (org: string, until: string) =>
    `The deadline for changes was ${until}. To request a change, send ${org} a message below.`,
  openUntil: (until: string) => `You can change or cancel your booking until ${until}.`,
  openProven: (until: string) =>
    `You can cancel your booking until ${until}. To change the time, open this page with the link in your confirmation email.`,
  summary: "Summary",
  reference: "Reference",
  guests: "Guests",
  items: "Items",
  periods: (count: string, length: string) => `${count} × ${length}`,
  days: (count: number) => count === 1 ? "1 day" : `${count} days`,
  hours: (count: string) => count === "1" ? "1 hour" : `${count} hours`,
  minutes: (count: number) => `${count} minutes`,
  howLong: "Duration",
  name: "Name",
  email: "Email",
  phone: "Phone",
  notes: "Your note",
  before: "Previous time",
  total: "Total",
  payment: "Payment",
  paidOn: (day: string) => `Paid online on ${day}`,
  notPaid: "Not paid yet",
  notOnline: "No online payment",
  free: "Free",
  refund: "Refund",
  refunds: {
    due: (amount: string) => `Your refund of ${amount} is being processed. It can take a few days.`,
    done: (amount: string) => `${amount} was refunded to the card or account you paid with.`,
    refused: (amount: string) =>
      `Your refund of ${amount} is delayed. We retry it automatically and have notified the outfitter.`
  },
  disputed: (amount: string) =>
    `You paid ${amount}. This payment is disputed, so your bank decides whether it is refunded.`,
  kept: (amount: string) => `You paid ${amount}. The payment is not refunded because the trip had started.`,
  pay: (amount: string) => `Pay ${amount}`,
  messages: "Messages",
  replies: (window: string) => `Reply time: ${window}`,
  noMessages: "No messages yet.",
  you: "You",
  automatic: (org: string) => `${org} (automatic)`,
  photo: (name: string) => `Photo: ${name}`,
  write: (org: string) => `Message ${org}`,
  files: "Photos or PDF, up to 10 MB each",
  send: "Send message",
  sent: "Your message was sent.",
  whole: (org: string) =>
    `These are all messages between you and ${withFullStop(org)} They are visible in this browser for one hour.`,
  part: "These are the messages about this booking. You may have other messages.",
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
    consequence: "Your place becomes available to other guests. This cannot be undone.",
    refund: (amount: string) =>
      `Your payment of ${amount} will be refunded to the card or account you paid with. It can take a few days.`,
    disputed: (amount: string) =>
      `You paid ${amount}, and the payment is disputed. Canceling does not refund it. Your bank decides.`,
    kept: (amount: string) => `You paid ${amount}. The payment is not refunded because the trip has started.`,
    nothing: "You have not paid online, so there is nothing to refund.",
    mail: "You will get a confirmation by email.",
    do: "Cancel booking",
    stay: "Keep booking"
  },
  closed: {
    title: "This booking cannot be changed online",
    never: (org: string) => `To change or cancel your booking, send ${org} a message from your booking page.`,
    since: (org: string, until: string) =>
      `The deadline for changes was ${until}. To request a change, send ${org} a message from your booking page.`,
    notNow: (org: string) =>
      `This booking cannot be changed online in its current state. To request a change, send ${org} a message.`,
    back: "Back to your booking",
    write: (org: string) => `Message ${org}`
  },
  checkout: {
    title: "Pay for your booking",
    lead: (until: string) => `Your place is held until ${until}. Pay before then to confirm your booking.`,
    go: "Continue to payment",
    nothing: "This booking has no payment due.",
    late:
      "Your hold has expired. If you have just paid, we will either confirm your booking or refund your payment, and send you an email.",
    wait: "Waiting for your payment",
    waitText: "This page updates automatically. You can also close it. We will email you when your payment arrives."
  },
  link: {
    title: "Show all your messages",
    text: (org: string) =>
      `Your booking page will show all messages between you and ${org} in this browser for one hour.`,
    do: "Show messages",
    over: "This link has expired or was already used.",
    another: "Go to your booking to request a new link"
  },
  wrong: {
    empty: "Enter a message.",
    long: "Shorten your message to 5,000 characters or less.",
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
  booked: "Su reserva está hecha.",
  bookedText: "Guarde esta página. Muestra todos los detalles de su reserva.",
  held: "Guardamos su lugar.",
  heldText: (until) => `Lo guardamos hasta ${until}. Su reserva aún no está confirmada.`,
  confirmFirst: "Confirme su reserva para conservar su lugar.",
  confirmText: (until) => `Guardamos su lugar hasta el ${until}.`,
  confirm: "Confirmar reserva",
  checkMail: "Revise su correo para confirmar.",
  checkMailText: (email, until) =>
    `Enviamos un enlace a ${email}. Ábralo antes del ${until} para confirmar su reserva. Después de esa hora, el lugar queda libre.`,
  confirmed: "Gracias. Su reserva está confirmada.",
  payFirst: "Pague para confirmar su reserva.",
  payText: (until) => `Guardamos su lugar hasta ${until}.`,
  paidAlready: "Ya pagué",
  left: "Tiempo restante",
  lapsed: "El plazo venció.",
  lapsedText: "Su lugar quedó libre. Para reservar de nuevo, elija una hora.",
  again: "Elegir otra hora",
  another: "Reservar de nuevo",
  cancelled: "Esta reserva está cancelada.",
  cancelledAt: (at) => `Se canceló el ${at}.`,
  over: "Esperamos que haya disfrutado.",
  overText: "Esta actividad ya terminó.",
  running: "Su actividad ya empezó.",
  runningText: "¡Que la disfrute!",
  review: "Dejar una opinión",
  erased: "Sus datos se eliminaron.",
  erasedText: "Su nombre, sus datos de contacto y sus mensajes se eliminaron a pedido. Solo queda la reserva.",
  where: "Punto de encuentro",
  map: "Abrir mapa",
  calendar: "Agregar al calendario",
  change: "Cambiar hora",
  cancel: "Cancelar reserva",
  closedNever: (org) => `Para cambiar o cancelar su reserva, envíe un mensaje a ${org} más abajo.`,
  closedSince: (org, until) =>
    `El plazo para hacer cambios terminó: ${until}. Para pedir un cambio, envíe un mensaje a ${org} más abajo.`,
  openUntil: (until) => `Puede cambiar o cancelar su reserva hasta ${until}.`,
  openProven: (until) =>
    `Puede cancelar su reserva hasta el ${until}. Para cambiar la hora, abra esta página con el enlace de su correo de confirmación.`,
  summary: "Resumen",
  reference: "Referencia",
  guests: "Personas",
  items: "Unidades",
  periods: (count, length) => `${count} × ${length}`,
  days: (count) => count === 1 ? "1 día" : `${count} días`,
  hours: (count) => count === "1" ? "1 hora" : `${count} horas`,
  minutes: (count) => `${count} minutos`,
  howLong: "Duración",
  name: "Nombre",
  email: "Correo electrónico",
  phone: "Teléfono",
  notes: "Su nota",
  before: "Horario anterior",
  total: "Total",
  payment: "Pago",
  paidOn: (day) => `Pagado en línea el ${day}`,
  notPaid: "Pendiente de pago",
  notOnline: "Sin pago en línea",
  free: "Gratis",
  refund: "Reembolso",
  refunds: {
    due: (amount) => `Su reembolso de ${amount} está en proceso. Puede tardar unos días.`,
    done: (amount) => `Se reembolsaron ${amount} a la tarjeta o cuenta con la que pagó.`,
    refused: (amount) =>
      `Su reembolso de ${amount} está demorado. Lo reintentamos automáticamente y ya avisamos al operador.`
  },
  disputed: (amount) => `Pagó ${amount}. Este pago está en disputa, así que su banco decide si se reembolsa.`,
  kept: (amount) => `Pagó ${amount}. No se reembolsa porque la actividad ya había empezado.`,
  pay: (amount) => `Pagar ${amount}`,
  messages: "Mensajes",
  replies: (window) => `Tiempo de respuesta: ${window}`,
  noMessages: "Aún no hay mensajes.",
  you: "Usted",
  automatic: (org) => `${org} (automático)`,
  photo: (name) => `Foto: ${name}`,
  write: (org) => `Enviar un mensaje a ${org}`,
  files: "Fotos o PDF, hasta 10 MB cada uno",
  send: "Enviar mensaje",
  sent: "Su mensaje se envió.",
  whole: (org) =>
    `Estos son todos los mensajes entre usted y ${withFullStop(org)} Se ven en este navegador durante una hora.`,
  part: "Estos son los mensajes sobre esta reserva. Es posible que tenga otros.",
  ask: "Recibir por correo un enlace a todos los mensajes",
  asked:
    "Si esta reserva tiene un correo electrónico, enviamos un enlace a esa dirección. El enlace funciona durante 15 minutos.",
  changed: "Su reserva se cambió de horario.",
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
    lost: "Ese horario ya no está disponible. Elija otro."
  },
  stop: {
    title: "¿Cancelar su reserva?",
    consequence: "Su lugar queda disponible para otras personas. No se puede deshacer.",
    refund: (amount) => `Se le reembolsarán ${amount} a la tarjeta o cuenta con la que pagó. Puede tardar unos días.`,
    disputed: (amount) =>
      `Pagó ${amount} y el pago está en disputa. Cancelar no lo reembolsa. La decisión es de su banco.`,
    kept: (amount) => `Pagó ${amount}. No se reembolsa porque la actividad ya empezó.`,
    nothing: "No pagó en línea, así que no hay nada que reembolsar.",
    mail: "Recibirá una confirmación por correo.",
    do: "Cancelar reserva",
    stay: "Conservar reserva"
  },
  closed: {
    title: "Esta reserva no se puede cambiar en línea",
    never: (org) => `Para cambiar o cancelar su reserva, envíe un mensaje a ${org} desde la página de su reserva.`,
    since: (org, until) =>
      `El plazo para hacer cambios terminó: ${until}. Para pedir un cambio, envíe un mensaje a ${org} desde la página de su reserva.`,
    notNow: (org) =>
      `En su estado actual, esta reserva no se puede cambiar en línea. Para pedir un cambio, envíe un mensaje a ${org}.`,
    back: "Volver a su reserva",
    write: (org) => `Enviar un mensaje a ${org}`
  },
  checkout: {
    title: "Pagar su reserva",
    lead: (until) => `Guardamos su lugar hasta ${until}. Pague antes para confirmar su reserva.`,
    go: "Continuar al pago",
    nothing: "Esta reserva no tiene pagos pendientes.",
    late:
      "El plazo venció. Si acaba de pagar, confirmaremos su reserva o le reembolsaremos el pago, y le enviaremos un correo.",
    wait: "Esperando su pago",
    waitText:
      "Esta página se actualiza automáticamente. También puede cerrarla. Le enviaremos un correo cuando llegue el pago."
  },
  link: {
    title: "Mostrar todos sus mensajes",
    text: (org) =>
      `La página de su reserva mostrará todos los mensajes entre usted y ${org} en este navegador durante una hora.`,
    do: "Mostrar mensajes",
    over: "Este enlace venció o ya se usó.",
    another: "Ir a su reserva para pedir otro enlace"
  },
  wrong: {
    empty: "Escriba un mensaje.",
    long: "Acorte el mensaje a 5,000 caracteres como máximo.",
    type: "Tipo de archivo no admitido. Suba un archivo JPEG, PNG, WebP, HEIC o PDF.",
    large: "Un archivo supera los 10 MB. Elija uno más pequeño.",
    many: "Elija 5 archivos como máximo por mensaje.",
    broken: "Un archivo está dañado y no se puede leer. Elija otro.",
    later:
      "En este momento no se pueden subir archivos. Intente de nuevo en un minuto o envíe el mensaje sin archivos.",
    messages: (wait) => `Alcanzó el límite diario de mensajes. Intente de nuevo en ${wait}.`,
    files: (wait) =>
      `Alcanzó el límite diario de archivos. Intente de nuevo en ${wait} o envíe el mensaje sin archivos.`
  }
}
