import type { RulesText } from '../content';

export const de: RulesText = {
  parts: 'Auf dieser Seite',
  try_it: 'Probier es',
  again: 'Noch einmal',
  other_move: 'Erlaubt, aber nicht das Gesuchte. Versuch es noch einmal.',
  lift: 'Nebel lichten',
  lower: 'Nebel senken',
  your_hand: 'Auf der Hand',
  empty_hand: 'nichts',
  sent_to_partner: 'Dein Partner bekommt: {piece}.',
  sent_to_theirs: 'Der Partner von Schwarz bekommt: {piece}.',
  arrives: 'Dein Partner schlägt: {piece}',
  tandem: {
    title: 'Regeln des Tandemschachs',
    lead: 'Vier Spieler, zwei Bretter, zwei Teams: Was du schlägst, darf dein Partner am anderen Brett einsetzen. Auf Englisch heißt das Spiel bughouse.',
    sections: [
      {
        heading: 'Zwei Bretter, zwei Teams',
        text: [
          'Weiß an Brett A und Schwarz an Brett B sind das eine Team, Schwarz an A und Weiß an B das andere. Partner spielen also verschiedene Farben.',
          'An jedem Brett ziehen Weiß und Schwarz abwechselnd wie im Schach, doch kein Brett wartet auf das andere. Du darfst auch sitzen und auf eine Figur warten; das kostet nur deine eigene Zeit.',
        ],
      },
      {
        heading: 'Geschlagenes bekommt der Partner',
        text: ['Eine Figur, die du schlägst, ist sofort auf der Hand deines Partners. Sie behält ihre Farbe, denn diese Farbe spielt er. Alle sehen, was die vier Spieler auf der Hand haben.'],
        exercises: ['capture'],
      },
      {
        heading: 'Einsetzen und warten',
        text: [
          'Statt zu ziehen, darfst du eine Figur von der Hand auf ein beliebiges freies Feld deines Bretts einsetzen. Das darf ein Schach abwehren, Schach geben und matt setzen. Bauern werden nie auf der 1. oder 8. Reihe eingesetzt. Ein Bauer, der auf der eigenen zweiten Reihe eingesetzt wurde, darf später zwei Felder ziehen; ein eingesetzter Turm darf nicht rochieren.',
          'Ohne Zug und ohne etwas zum Einsetzen hast du nicht verloren: Du wartest bei laufender Uhr, bis eine Figur kommt. Ein Patt gibt es nicht.',
        ],
        exercises: ['block'],
      },
      {
        heading: 'Umgewandelte Figuren',
        text: ['Bauern werden umgewandelt wie im Schach, aber die neue Figur trägt ein Zeichen, das alle sehen: Wird sie geschlagen, kommt sie als Bauer auf die Hand.'],
        exercises: ['promoted'],
      },
      {
        heading: 'Wann es matt ist',
        text: [
          'Matt ist es, wenn der König im Schach steht, es keinen erlaubten Zug und kein erlaubtes Einsetzen gibt und auch keine Figur irgendeiner Art je dazwischengesetzt werden könnte. Ein einfaches Schach aus der Ferne mit einem freien Feld dazwischen ist deshalb nie matt, was immer auf der Hand ist.',
          'Schach vom Nachbarfeld, durch Springer oder Bauer sowie Doppelschach lassen sich nicht verstellen: Ohne Antwort ist es sofort matt.',
        ],
        exercises: ['mate'],
      },
      {
        heading: 'Wie eine Partie endet',
        text: [
          'Das Brett, das zuerst fertig ist, entscheidet die Partie, und das andere hält im selben Augenblick an. Matt gewinnt für das Team. Wer die Zeit überschreitet, aufgibt oder geht, verliert für das ganze Team, ohne den Partner zu fragen.',
          'Remis gibt es nur auf drei Arten: Alle Menschen am Tisch sind einverstanden; keiner der beiden, die am Zug sind, kann je wieder ziehen; oder an beiden Brettern zusammen sind 800 Züge gemacht. Stellungswiederholung, fünfzig Züge und Material zählen nicht.',
          'Eine Uhr läuft immer, mit 3 Minuten für jeden, wenn nichts anderes gewählt ist. Bis an einem der Bretter der zweite einzelne Zug gemacht ist, darf jeder die Partie ohne Ergebnis abbrechen.',
        ],
      },
      {
        heading: 'Absprachen',
        text: ['Partner dürfen miteinander reden, mit Kurznachrichten oder eigenen Worten. Niemand sonst liest das jemals.'],
      },
    ],
    differences: {
      heading: 'Was anders ist als im gewöhnlichen Schach',
      aspect: 'Sache',
      chess: 'Gewöhnliches Schach',
      here: 'Tandemschach',
      rows: [
        ['Spieler', 'zwei', 'vier, in zwei Teams an zwei Brettern'],
        ['Geschlagene Figuren', 'sind aus dem Spiel', 'kommen auf die Hand des Partners'],
        ['Wer am Zug ist', 'zieht', 'zieht oder setzt ein'],
        ['Schach aus der Ferne, keine Antwort', 'matt', 'Warten auf eine Figur zum Dazwischensetzen'],
        ['Kein Zug, nicht im Schach', 'patt, remis', 'Warten auf eine Figur'],
        ['Eine geschlagene umgewandelte Figur', 'ist aus dem Spiel', 'kommt als Bauer zurück'],
        ['Dreimal dieselbe Stellung, fünfzig Züge', 'remis', 'ohne Bedeutung'],
        ['Zeitüberschreitung oder Aufgabe', 'einer verliert', 'das ganze Team verliert'],
      ],
    },
    clubs: {
      heading: 'Worin sich Vereine unterscheiden',
      text: [
        'Unsere Vereinsform, die sich beim Eröffnen eines Tischs wählen lässt: Wer im Schach steht und in diesem Augenblick weder ziehen noch von der Hand einsetzen kann, ist matt, auch wenn eine andere Figur geholfen hätte. Ein Turm, der auf einer Ecke der eigenen Grundreihe eingesetzt wurde, darf rochieren, wenn der König noch nicht gezogen hat. Ein Zug gilt, wenn die Uhr gedrückt ist. Üblich sind 7 Minuten.',
        'Anderswo wird mehr vereinbart: Manche verbieten Einsetzmatt oder jedes Einsetzen mit Schach; manche lassen Bauern nicht auf die vorletzte Reihe; bei manchen bleibt eine geschlagene umgewandelte Figur, was sie ist, oder beide Bretter werden zu Ende gespielt. Einigt euch vor dem ersten Zug.',
      ],
    },
    history: {
      heading: 'Ein wenig Geschichte',
      text: 'Niemand weiß sicher, wer es zuerst gespielt hat. Das Spiel ist in den Vereinen groß geworden, als Spaß nach den ernsten Partien, und hat so viele Namen wie Orte: Tandem im deutschen Sprachraum, bughouse in Nordamerika. Dass eine geschlagene Figur die Seite wechselt und wiederkommt, ist ein viel älterer Gedanke: Shogi, das japanische Schach, lebt seit Jahrhunderten davon. In den 1990er Jahren nahmen die Schachserver im Internet das Tandemschach auf. Seine Schwester für zwei Spieler an einem Brett heißt Crazyhouse oder Einsetzschach.',
    },
  },
  fog: {
    title: 'Regeln von Nebel des Krieges',
    lead: 'Schach zu zweit, bei dem du nur siehst, was deine eigenen Figuren erreichen. Niemand sagt Schach, und wer den König schlägt, gewinnt. Auf Englisch heißt es auch dark chess.',
    sections: [
      {
        heading: 'Was du siehst',
        text: [
          'Du siehst deine eigenen Figuren, jedes Feld, auf das eine von ihnen jetzt ziehen könnte, und eine gegnerische Figur auf einem solchen Feld. Sonst nichts. Das gilt auch, während der Gegner am Zug ist.',
          'Turm, Läufer und Dame sehen ihre Linien entlang bis zur ersten gegnerischen Figur und nichts hinter einer Figur.',
          'Ein Bauer sieht das freie Feld vor sich, vom Ausgangsfeld auch das nächste. Was ihm den Weg versperrt, sieht er nicht. Eine Diagonale sieht er nur, wenn dort eine Figur steht, die er schlagen kann.',
        ],
        exercises: ['pawn_sight'],
      },
      {
        heading: 'En passant',
        text: ['Wenn du en passant schlagen könntest, siehst du das Feld, auf das dein Bauer käme, und den Bauern, der vorbeigezogen ist: nur für diesen einen Zug.'],
        exercises: ['en_passant'],
      },
      {
        heading: 'Was verborgen bleibt',
        text: ['Die Züge des Gegners sind verborgen; die Liste sagt nur, dass gezogen wurde. Fällt eine deiner Figuren auf einem Feld, das du danach nicht siehst, so wird dieses Feld markiert. Was sie geschlagen hat und von wo, erfährst du nicht. In was ein Bauer umgewandelt wurde, weißt du erst, wenn du die Figur siehst.'],
        exercises: ['fallen'],
      },
      {
        heading: 'Kein Schach, kein Matt',
        text: ['Nichts warnt dich. Ein König darf dorthin gehen, wo er geschlagen werden kann, und darf aus dem Angriff heraus, durch ihn hindurch und in ihn hinein rochieren. Wer den gegnerischen König schlägt, hat gewonnen.'],
        exercises: ['king'],
      },
      {
        heading: 'Wie eine Partie endet',
        text: [
          'Den König schlagen gewinnt. Wer die Zeit überschreitet, aufgibt oder geht, verliert, was immer noch auf dem Brett steht.',
          'Remis kommt von selbst, denn eine Reklamation würde etwas verraten: wenn die Seite am Zug keinen erlaubten Zug hat, wenn dieselbe Stellung dreimal da war oder nach fünfzig Zügen von jedem ohne Schlagen und ohne Bauernzug. Beide können sich auch einigen. Zu wenig Material macht nie remis.',
          'Ein Tisch hat eine Uhr oder keine. Ohne Uhr verliert, wer 10 Minuten wegbleibt, und 7 Tage ohne Zug beenden die Partie ohne Ergebnis. Ist sie zu Ende, lichtet sich der Nebel für alle: Du kannst die Partie ansehen, wie Weiß sie sah, wie Schwarz sie sah und wie sie wirklich war. Zwei können sich ein Gerät teilen: Nach jedem Zug fällt ein Vorhang, und eine Uhr läuft erst, wenn ihn die nächste Seite gehoben hat.',
        ],
      },
    ],
    differences: {
      heading: 'Was anders ist als im gewöhnlichen Schach',
      aspect: 'Sache',
      chess: 'Gewöhnliches Schach',
      here: 'Nebel des Krieges',
      rows: [
        ['Ziel', 'matt', 'den König schlagen'],
        ['Du siehst', 'alles', 'was deine Figuren erreichen'],
        ['Schach', 'muss abgewehrt werden', 'gibt es nicht'],
        ['König zieht in einen Angriff', 'verboten', 'erlaubt'],
        ['Rochade durch einen Angriff', 'verboten', 'erlaubt'],
        ['Züge des Gegners', 'sind zu sehen', 'sind bis zum Ende verborgen'],
        ['Dreimal dieselbe Stellung, fünfzig Züge', 'remis auf Antrag', 'remis von selbst'],
        ['Zu wenig Material', 'remis', 'die Partie geht weiter'],
      ],
    },
    clubs: {
      heading: 'Worin sich andere unterscheiden',
      text: ['Anderswo erfährst du vielleicht, dass dein König im Schach steht oder was geschlagen wurde; ein Bauer sieht, was ihm im Weg steht; oder remis ist es nur auf Antrag. Hier gilt, was auf dieser Seite steht, an jedem Tisch.'],
    },
    history: {
      heading: 'Ein wenig Geschichte',
      text: 'Ausgedacht haben sich das Spiel 1989 Jens Bæk Nielsen und Torben Osted, unter dem Namen dark chess. Ein älterer Verwandter ist Kriegspiel, 1899 von Henry Michael Temple geschaffen: Dort sieht man von den gegnerischen Figuren gar nichts, und ein Schiedsrichter mit einem dritten Brett sagt, was möglich ist. Ein Computer ist ein Schiedsrichter, der sich nie verplappert, und so sind solche Spiele heute leicht zu spielen.',
    },
  },
  exercises: {
    capture: { title: 'Eine Figur für den Partner', task: 'Du hast Weiß. Schlage den Springer.', done: 'Der schwarze Springer wartet jetzt auf der Hand deines Partners, der am anderen Brett Schwarz spielt.' },
    block: { title: 'Einsetzen gegen ein Schach', task: 'Du hast Weiß und stehst im Schach. Dein Bauer auf der Hand darf nicht auf die 1. Reihe, also wartest du. Lass deinen Partner helfen und setze dann den Springer ein.', done: 'Der Springer steht zwischen Turm und König. Matt war das nie.' },
    promoted: { title: 'Eine umgewandelte Figur kommt als Bauer zurück', task: 'Du hast Weiß. Wandle den Bauern um und sieh, was der Partner von Schwarz bekommt.', done: 'Der Turm hat deine neue Figur geschlagen, und hinüber ging ein Bauer.' },
    mate: { title: 'Ein Matt, gegen das nichts hilft', task: 'Du hast Weiß, mit Dame und Springer auf der Hand. Finde das Einsetzen, das sofort matt setzt.', done: 'Matt: Gegen ein Springerschach lässt sich nichts dazwischensetzen, und der König hat kein Feld.' },
    pawn_sight: { title: 'Was ein Bauer sieht', task: 'Du hast Weiß. Etwas steht deinem Bauern im Weg, aber du siehst es nicht. Schlage, was du siehst; vorher darfst du den Nebel lichten.', done: 'Auf d5 hat der Bauer wieder freie Bahn, und er sieht, dass er auf c6 schlagen kann.' },
    en_passant: { title: 'Der Bauer, der vorbeizog', task: 'Du hast Weiß. Ein schwarzer Bauer ging gerade von d7 nach d5. Schlage ihn en passant; oder zieh etwas anderes und sieh ihn verschwinden.', done: 'Geschlagen. Nach einem anderen Zug lägen d5 und d6 wieder im Nebel.' },
    fallen: { title: 'Die Marke auf einem Feld', task: 'Du hast Weiß. Stell den Springer nach b5 und warte auf die Antwort.', done: 'Dein Springer ist gefallen, und die Marke zeigt, wo. Was ihn schlug, bleibt im Nebel.' },
    king: { title: 'Der König lässt sich schlagen', task: 'Du hast Weiß. Niemand sagt Schach. Schau die offene Linie entlang und gewinne.', done: 'Der König ist geschlagen: Du hast gewonnen.' },
  },
};
