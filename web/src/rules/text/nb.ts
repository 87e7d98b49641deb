import type { RulesText } from '../content';

export const nb: RulesText = {
  parts: 'På denne siden',
  try_it: 'Prøv selv',
  again: 'En gang til',
  other_move: 'Lovlig, men ikke det oppgaven ber om. Prøv igjen.',
  lift: 'Løft tåken',
  lower: 'Senk tåken',
  your_hand: 'På hånd',
  empty_hand: 'ingenting',
  sent_to_partner: 'Makkeren din får: {piece}.',
  sent_to_theirs: 'Makkeren til Svart får: {piece}.',
  arrives: 'Makkeren din slår: {piece}',
  tandem: {
    title: 'Regler for tandemsjakk',
    lead: 'Fire spillere, to brett, to lag: det du slår, kan makkeren din sette inn på det andre brettet. På engelsk heter spillet bughouse.',
    sections: [
      {
        heading: 'To brett, to lag',
        text: [
          'Hvit på brett A og Svart på brett B er det ene laget, Svart på A og Hvit på B det andre. Makkere spiller altså hver sin farge.',
          'På hvert brett trekker Hvit og Svart etter tur som i vanlig sjakk, men det ene brettet venter aldri på det andre. Du kan også sitte og vente på en brikke; det går bare ut over din egen klokke.',
        ],
      },
      {
        heading: 'Det du slår, får makkeren',
        text: ['En brikke du slår, er straks på hånden til makkeren din. Den beholder fargen, for det er den fargen makkeren spiller. Alle ser alle fire hendene.'],
        exercises: ['capture'],
      },
      {
        heading: 'Å sette inn og å vente',
        text: [
          'I stedet for å trekke kan du sette inn en brikke fra hånden på et hvilket som helst ledig felt på brettet ditt. Den kan dekke for en sjakk, gi sjakk og sette matt. Bønder settes aldri inn på 1. eller 8. rad. En bonde satt inn på sin egen andre rad kan siden gå to felt; et innsatt tårn kan ikke rokere.',
          'Har du verken trekk eller noe å sette inn, har du ikke tapt: du venter, mens klokken går, til det kommer en brikke. Patt finnes ikke.',
        ],
        exercises: ['block'],
      },
      {
        heading: 'Forvandlede brikker',
        text: ['Bønder forvandles som i vanlig sjakk, men den forvandlede brikken får et merke som alle ser: blir den slått, kommer den på hånden som bonde.'],
        exercises: ['promoted'],
      },
      {
        heading: 'Når det er matt',
        text: [
          'Det er matt når kongen står i sjakk, det ikke finnes noe lovlig trekk eller innsett, og ingen brikke av noe slag noen gang kunne settes imellom. En enkelt sjakk på avstand med et ledig felt imellom er derfor aldri matt, uansett hva som er på hånd.',
          'Sjakk fra nabofeltet, sjakk med springer eller bonde og dobbeltsjakk kan ikke dekkes: finnes det ikke noe svar, er det matt med en gang.',
        ],
        exercises: ['mate'],
      },
      {
        heading: 'Slik slutter et parti',
        text: [
          'Det brettet som blir ferdig først, avgjør partiet, og det andre stopper i samme øyeblikk. Matt vinner for laget. Den som faller på tid, gir opp eller går, taper for hele laget, uten å spørre makkeren.',
          'Det er bare tre slags remis: alle menneskene ved bordet er enige; ingen av de to som er i trekket, kan noen gang trekke igjen; eller det er gjort 800 trekk på begge brettene til sammen. Trekkgjentakelse, femti trekk og materiell teller ikke.',
          'Klokken er alltid med, 3 minutter til hver hvis ikke annet er valgt. Til ett av brettene har fått sitt andre enkelttrekk, kan hvem som helst avbryte partiet uten resultat.',
        ],
      },
      {
        heading: 'Å snakke sammen',
        text: ['Makkere kan snakke sammen, med hurtigmeldinger eller egne ord. Ingen andre får noen gang lese det.'],
      },
    ],
    differences: {
      heading: 'Det som er annerledes enn i vanlig sjakk',
      aspect: 'Sak',
      chess: 'Vanlig sjakk',
      here: 'Tandemsjakk',
      rows: [
        ['Spillere', 'to', 'fire, på to lag og to brett'],
        ['Slåtte brikker', 'er ute av spillet', 'går til makkerens hånd'],
        ['En tur', 'et trekk', 'et trekk eller et innsett'],
        ['Sjakk på avstand, uten svar', 'matt', 'vente på en brikke å dekke med'],
        ['Ingen lovlige trekk, ikke i sjakk', 'patt, remis', 'vente på en brikke'],
        ['En forvandlet brikke som slås', 'er ute av spillet', 'kommer tilbake som bonde'],
        ['Trekkgjentakelse, femti trekk', 'remis', 'har ingenting å si'],
        ['Tid eller oppgivelse', 'én spiller taper', 'hele laget taper'],
      ],
    },
    clubs: {
      heading: 'Der klubber skiller seg',
      text: [
        'Klubbformen vår, som kan velges når et bord lages: den som står i sjakk uten trekk og uten noe å sette inn fra hånden akkurat da, er matt, også om en annen brikke kunne ha hjulpet. Et tårn satt inn på et hjørne av sin egen første rad kan rokere hvis kongen ikke har flyttet. Et trekk gjelder når klokken trykkes. Vanlig tid er 7 minutter.',
        'Andre steder avtales mer: noen forbyr matt, eller all sjakk, med innsatt brikke; noen holder bønder borte fra nest siste rad; hos noen forblir en forvandlet brikke det den er også når den slås, eller begge brettene spilles ferdig. Bli enige før første trekk.',
      ],
    },
    history: {
      heading: 'Litt historie',
      text: 'Ingen vet sikkert hvem som spilte det først. Spillet vokste fram i sjakklubbene, til moro etter de alvorlige partiene, og har like mange navn som steder: bughouse i Nord-Amerika, Tandem i de tysktalende landene. At en slått brikke skifter side og kommer tilbake, er en langt eldre tanke: i shogi, den japanske sjakken, har det vært slik i hundrevis av år. På 1990-tallet tok sjakktjenerne på internett opp tandemsjakken. Søsteren for to spillere ved ett brett heter crazyhouse.',
    },
  },
  fog: {
    title: 'Regler for krigståke',
    lead: 'Sjakk for to der du bare ser det dine egne brikker når. Ingen sier sjakk, og den som slår kongen, vinner. På engelsk heter det også dark chess.',
    sections: [
      {
        heading: 'Det du ser',
        text: [
          'Du ser dine egne brikker, hvert felt en av dem kunne gå til nå, og en fiendtlig brikke på et slikt felt. Ikke noe annet. Slik er det også når motstanderen er i trekket.',
          'Tårn, løper og dronning ser langs linjene sine fram til den første fiendtlige brikken, og ingenting bak en brikke.',
          'En bonde ser det ledige feltet foran seg, fra utgangsfeltet også det neste. Det som stenger veien, ser den ikke. En diagonal ser den bare når det står en brikke der som den kan slå.',
        ],
        exercises: ['pawn_sight'],
      },
      {
        heading: 'En passant',
        text: ['Når du kunne slå en passant, ser du feltet bonden din ville gå til, og bonden som gikk forbi: bare i dette ene trekket.'],
        exercises: ['en_passant'],
      },
      {
        heading: 'Det som er skjult',
        text: ['Motstanderens trekk er skjult; listen sier bare at det ble gjort et trekk. Faller en brikke av dine på et felt du ikke ser etterpå, blir feltet merket. Hva som slo den, og hvorfra, får du ikke vite. Hva en bonde ble forvandlet til, ser du først når du ser brikken.'],
        exercises: ['fallen'],
      },
      {
        heading: 'Ingen sjakk, ingen matt',
        text: ['Ingenting advarer deg. En konge kan gå dit den kan slås, og den kan rokere ut av, gjennom og inn i angrep. Den som slår motstanderens konge, har vunnet.'],
        exercises: ['king'],
      },
      {
        heading: 'Slik slutter et parti',
        text: [
          'Å slå kongen vinner. Den som faller på tid, gir opp eller går, taper, uansett hva som står igjen på brettet.',
          'Remis kommer av seg selv, for et krav ville røpe noe: når den som er i trekket, ikke har noe lovlig trekk, når samme stilling er kommet tre ganger, eller etter femti trekk fra hver uten slag og uten bondetrekk. Spillerne kan også bli enige. For lite materiell gir aldri remis.',
          'Et bord har klokke eller ingen. Uten klokke taper den som er borte i 10 minutter, og 7 dager uten trekk avslutter partiet uten resultat. Når det er slutt, letter tåken for alle: du kan se partiet slik Hvit så det, slik Svart så det, og slik det var. To kan dele én enhet: Etter hvert trekk faller et teppe, og en klokke går først når neste side har løftet det.',
        ],
      },
    ],
    differences: {
      heading: 'Det som er annerledes enn i vanlig sjakk',
      aspect: 'Sak',
      chess: 'Vanlig sjakk',
      here: 'Krigståke',
      rows: [
        ['Mål', 'matt', 'å slå kongen'],
        ['Du ser', 'alt', 'det brikkene dine når'],
        ['Sjakk', 'må besvares', 'finnes ikke'],
        ['Kongen går i angrep', 'forbudt', 'lov'],
        ['Rokade gjennom angrep', 'forbudt', 'lov'],
        ['Motstanderens trekk', 'ses', 'er skjult til slutten'],
        ['Trekkgjentakelse, femti trekk', 'remis på krav', 'remis av seg selv'],
        ['For lite materiell', 'remis', 'partiet går videre'],
      ],
    },
    clubs: {
      heading: 'Der andre skiller seg',
      text: ['Andre steder kan du få vite at kongen din står i sjakk, eller hva som ble slått; en bonde kan se det som står i veien; eller remis må kreves av en spiller. Her gjelder det som står på denne siden, ved hvert bord.'],
    },
    history: {
      heading: 'Litt historie',
      text: 'Spillet ble funnet på i 1989 av Jens Bæk Nielsen og Torben Osted, under navnet dark chess. En eldre slektning er Kriegspiel, laget i 1899 av Henry Michael Temple: der ser man ingenting av fiendens brikker, og en dommer med et tredje brett sier hva som er mulig. En datamaskin er en dommer som aldri forsnakker seg, og derfor er slike spill lette å spille i dag.',
    },
  },
  exercises: {
    capture: { title: 'En brikke til makkeren', task: 'Du er Hvit. Slå springeren.', done: 'Den svarte springeren venter nå på hånden til makkeren din, som spiller Svart på det andre brettet.' },
    block: { title: 'Et innsett som dekker', task: 'Du er Hvit og står i sjakk. Bonden på hånd kan ikke settes inn på 1. rad, så du venter. La makkeren hjelpe, og sett så inn springeren.', done: 'Springeren står mellom tårnet og kongen. Dette var aldri matt.' },
    promoted: { title: 'En forvandlet brikke kommer tilbake som bonde', task: 'Du er Hvit. Forvandle bonden, og se hva makkeren til Svart får.', done: 'Tårnet har slått den nye brikken din, og det som gikk over, er en bonde.' },
    mate: { title: 'En matt som ingenting kan dekke', task: 'Du er Hvit, med dronning og springer på hånd. Finn innsettet som setter matt med en gang.', done: 'Matt: ingenting kan settes i veien for en springersjakk, og kongen har ikke noe felt.' },
    pawn_sight: { title: 'Det en bonde ser', task: 'Du er Hvit. Noe står i veien for bonden din, men du ser det ikke. Slå det du ser; før det kan du løfte tåken.', done: 'På d5 har bonden fri vei igjen, og den ser at den kan slå på c6.' },
    en_passant: { title: 'Bonden som gikk forbi', task: 'Du er Hvit. En svart bonde gikk nettopp fra d7 til d5. Slå den en passant; eller gjør et annet trekk og se den forsvinne.', done: 'Slått. Hadde du trukket noe annet, ville d5 og d6 ligge i tåken igjen.' },
    fallen: { title: 'Merket på et felt', task: 'Du er Hvit. Sett springeren på b5, og vent på svaret.', done: 'Springeren din er falt, og merket viser hvor. Det som tok den, blir i tåken.' },
    king: { title: 'Kongen kan slås', task: 'Du er Hvit. Ingen sier sjakk. Se langs den åpne linjen, og vinn.', done: 'Kongen er slått: du har vunnet.' },
  },
};
