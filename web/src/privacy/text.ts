/** What the privacy page says, in each language. `{time}` is a length of time. */
import type { Language } from '../text/languages';

export interface PrivacyText {
  title: string;
  lead: string;
  what: string;
  kept: string;
  match: string;
  archive: string;
  names: string;
  talk: string;
  reports: string;
  cookie: string;
  storage: string;
  address: string;
  for_ever: string;
  after_end: string;
  then_nameless: string;
  after_report: string;
  in_browser: string;
  with_tables: string;
  while_connected: string;
  others: string;
  seen: string[];
  failed: string;
}

export const PRIVACY: Record<Language, PrivacyText> = {
  en: {
    title: 'What is kept of you',
    lead: 'There is no account, no e-mail address, nothing that follows you elsewhere. This is what playing here leaves behind.',
    what: 'What',
    kept: 'How long',
    match: 'A finished game: moves, clocks, result, and the names that were typed in',
    archive: 'The same game in the archive, where its link goes on working',
    names: 'The names in the archive',
    talk: 'What partners said to each other; the archive never has it',
    reports: 'A line that somebody has reported to the operator',
    cookie: 'A cookie with a number drawn by lot: by it your seat is found again',
    storage: 'Your name, language and settings, and the seats that you hold',
    address: 'Your network address: to hold off floods, and when the operator has blocked it',
    for_ever: 'for good',
    after_end: '{time} after the end',
    then_nameless: '{time} after the end, then “?” stands for them',
    after_report: '{time} after the report',
    in_browser: 'only in your browser, until you delete it',
    with_tables: 'in your browser, until you delete it; and with the tables that you sat at, no longer than a finished game',
    while_connected: 'in memory while you are connected and for a short time after; in the operator’s log if far too much came from it; a block until it ends, and for some months in the record of what the operator has done',
    others: 'What others see',
    seen: [
      'Who has a table’s link can watch it; public tables are in the list. In a fog game nobody but the player sees a side’s view before the end, and everybody sees everything after it.',
      'What partners say is seen by the two of them alone, unless one of them reports a line.',
    ],
    failed: 'How long things are kept cannot be asked just now. Please try again later.',
  },
  nb: {
    title: 'Hva vi lagrer om deg',
    lead: 'Her er ingen konto, ingen e-postadresse og ingenting som følger deg andre steder. Dette er det som blir igjen når du spiller her.',
    what: 'Hva',
    kept: 'Hvor lenge',
    match: 'Et avsluttet parti: trekk, klokker, resultat og navnene som ble skrevet inn',
    archive: 'Det samme partiet i arkivet, der lenken fortsatt virker',
    names: 'Navnene i arkivet',
    talk: 'Det makkere sa til hverandre; det kommer aldri i arkivet',
    reports: 'En linje som noen har meldt til den som driver tjenesten',
    cookie: 'En informasjonskapsel med et tilfeldig tall: med den finner du igjen plassen din',
    storage: 'Navnet ditt, språket, innstillingene og plassene du har',
    address: 'Nettadressen din: for å stanse oversvømmelser, og når den er sperret',
    for_ever: 'for godt',
    after_end: '{time} etter slutten',
    then_nameless: '{time} etter slutten, deretter står det «?» i stedet',
    after_report: '{time} etter meldingen',
    in_browser: 'bare i nettleseren din, til du sletter det',
    with_tables: 'i nettleseren din, til du sletter den, og sammen med bordene du satt ved, ikke lenger enn et avsluttet parti',
    while_connected: 'i minnet mens du er tilkoblet og en kort stund etterpå; i loggen til den som driver tjenesten, hvis altfor mye kom fra den; en sperre til den går ut, og noen måneder i listen over hva den som driver tjenesten, har gjort',
    others: 'Hva andre ser',
    seen: [
      'Den som har lenken til et bord, kan se på; offentlige bord står i listen. I et parti i tåke ser ingen andre enn spilleren det en side ser før partiet er slutt, og etterpå ser alle alt.',
      'Det makkere sier, ser bare de to, med mindre en av dem melder en linje.',
    ],
    failed: 'Akkurat nå kan vi ikke hente hvor lenge noe lagres. Prøv igjen senere.',
  },
  de: {
    title: 'Was wir von dir aufbewahren',
    lead: 'Es gibt kein Konto, keine E-Mail-Adresse und nichts, was dir anderswohin folgt. Das hier bleibt zurück, wenn du spielst.',
    what: 'Was',
    kept: 'Wie lange',
    match: 'Eine beendete Partie: Züge, Uhren, Ergebnis und die eingetippten Namen',
    archive: 'Dieselbe Partie im Archiv, wo ihr Link weiter gilt',
    names: 'Die Namen im Archiv',
    talk: 'Was Partner einander gesagt haben; ins Archiv kommt es nie',
    reports: 'Eine Zeile, die jemand dem Betreiber gemeldet hat',
    cookie: 'Ein Cookie mit einer ausgelosten Zahl: Damit findest du deinen Platz wieder',
    storage: 'Dein Name, deine Sprache, deine Einstellungen und die Plätze, die du hast',
    address: 'Deine Netzadresse: um Überflutung abzuwehren, und wenn der Betreiber sie gesperrt hat',
    for_ever: 'für immer',
    after_end: '{time} nach dem Ende',
    then_nameless: '{time} nach dem Ende, danach steht „?“ dafür',
    after_report: '{time} nach der Meldung',
    in_browser: 'nur in deinem Browser, bis du es löschst',
    with_tables: 'in deinem Browser, bis du es löschst, und bei den Tischen, an denen du gesessen hast, nicht länger als eine beendete Partie',
    while_connected: 'im Speicher, solange du verbunden bist, und kurz danach; im Protokoll des Betreibers, wenn viel zu viel von ihr kam; eine Sperre, bis sie endet, und einige Monate im Verzeichnis dessen, was der Betreiber getan hat',
    others: 'Was andere sehen',
    seen: [
      'Wer den Link eines Tisches hat, kann zusehen; öffentliche Tische stehen in der Liste. In einer Nebelpartie sieht vor dem Ende niemand außer der Spielerin oder dem Spieler die Sicht einer Seite, danach sehen alle alles.',
      'Was Partner sagen, sehen nur die beiden, außer wenn jemand von ihnen eine Zeile meldet.',
    ],
    failed: 'Wie lange etwas aufbewahrt wird, lässt sich gerade nicht abfragen. Bitte versuche es später noch einmal.',
  },
  fa: {
    title: 'چه چیزی از شما نگه داشته می‌شود',
    lead: 'اینجا نه حساب کاربری هست، نه نشانی ایمیل و نه چیزی که شما را جای دیگر دنبال کند. آنچه از بازی کردن می‌ماند این است.',
    what: 'چه چیزی',
    kept: 'تا کی',
    match: 'بازی تمام‌شده: حرکت‌ها، ساعت‌ها، نتیجه و نام‌هایی که نوشته شده‌اند',
    archive: 'همان بازی در بایگانی که پیوندش همچنان کار می‌کند',
    names: 'نام‌ها در بایگانی',
    talk: 'آنچه دو یار به هم گفته‌اند؛ هرگز به بایگانی نمی‌رود',
    reports: 'سطری که کسی به گرداننده گزارش داده است',
    cookie: 'یک کوکی با عددی تصادفی که با آن جای شما دوباره پیدا می‌شود',
    storage: 'نام، زبان، تنظیمات و جاهایی که در دست دارید',
    address: 'نشانی شبکهٔ شما: برای جلوگیری از سیل درخواست‌ها و وقتی گرداننده آن را بسته باشد',
    for_ever: 'برای همیشه',
    after_end: '{time} پس از پایان',
    then_nameless: '{time} پس از پایان، سپس «؟» به جای آن‌ها می‌آید',
    after_report: '{time} پس از گزارش',
    in_browser: 'فقط در مرورگر شما، تا وقتی پاکش کنید',
    with_tables: 'در مرورگر شما تا وقتی پاکش کنید، و همراه میزهایی که پشت آن‌ها نشسته‌اید، نه بیشتر از یک بازی تمام‌شده',
    while_connected: 'در حافظه تا وقتی وصل هستید و اندکی پس از آن؛ در گزارش گرداننده اگر درخواست بسیار زیادی از آن رسیده باشد؛ بسته بودن تا پایان مهلتش، و چند ماه در فهرست کارهای گرداننده',
    others: 'دیگران چه می‌بینند',
    seen: [
      'هر کس پیوند میزی را داشته باشد می‌تواند تماشا کند؛ میزهای عمومی در فهرست هستند. در بازی مه پیش از پایان هیچ‌کس جز خود بازیکن دید یک طرف را نمی‌بیند و پس از آن همه همه چیز را می‌بینند.',
      'گفته‌های دو یار را فقط خودشان می‌بینند، مگر آنکه یکی از آن‌ها سطری را گزارش دهد.',
    ],
    failed: 'اکنون نمی‌توان پرسید هر چیز تا کی نگه داشته می‌شود. لطفاً بعداً دوباره امتحان کنید.',
  },
};
