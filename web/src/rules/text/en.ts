import type { RulesText } from '../content';

export const en: RulesText = {
  parts: 'On this page',
  try_it: 'Try it',
  again: 'Once more',
  other_move: 'Allowed, but not what is asked for. Try again.',
  lift: 'Lift the fog',
  lower: 'Lower the fog',
  your_hand: 'Your hand',
  empty_hand: 'empty',
  sent_to_partner: 'Your partner gets a {piece}.',
  sent_to_theirs: 'Black’s partner gets a {piece}.',
  arrives: 'Your partner captures a {piece}',
  tandem: {
    title: 'Rules of Tandem chess',
    lead: 'Four players, two boards, two teams: what you capture, your partner may put on the other board. Many know it as bughouse.',
    sections: [
      {
        heading: 'Two boards, two teams',
        text: [
          'White on board A and Black on board B are one team; Black on A and White on B are the other. Partners play opposite colours.',
          'On each board White and Black take turns as in chess, but neither board waits for the other. You may also sit and wait for a piece; only your own clock pays for it.',
        ],
      },
      {
        heading: 'Captures go to your partner',
        text: ['A piece that you capture is in your partner’s hand at once. It keeps its colour, for your partner plays that colour. Everybody sees all four hands.'],
        exercises: ['capture'],
      },
      {
        heading: 'Dropping and waiting',
        text: [
          'Instead of moving you may drop a piece from your hand on any empty square of your board. A drop may block a check, give check and give mate. Pawns are never dropped on rank 1 or 8. A pawn dropped on its own second rank may later go two squares; a dropped rook cannot castle.',
          'Without any move or drop you have not lost: you wait, your clock running, until a piece comes. There is no stalemate.',
        ],
        exercises: ['block'],
      },
      {
        heading: 'Promoted pieces',
        text: ['Pawns promote as in chess, but a promoted piece carries a mark that everybody sees: when it is captured, it comes to the hand as a pawn.'],
        exercises: ['promoted'],
      },
      {
        heading: 'When it is mate',
        text: [
          'It is mate when the king is in check, there is no legal move or drop, and no piece of any kind could ever be dropped in between. A single check from a distance with an empty square in between is therefore never mate, whatever is in the hand.',
          'Checks from the next square, by a knight or a pawn, and double checks cannot be blocked: without an answer they are mate at once.',
        ],
        exercises: ['mate'],
      },
      {
        heading: 'How a match ends',
        text: [
          'The board that finishes first decides the match, and the other one stops at that moment. Mate wins for the team. Whoever runs out of time, resigns or leaves loses for the team, without asking the partner.',
          'There are only three draws: all people at the table agree; neither of the two players on move can ever move again; or 800 moves have been made on both boards together. Repetition, fifty moves and material do not count.',
          'There is always a clock, with 3 minutes each if nothing else is chosen. Until one of the boards has had its second single move, anybody may abort the match without a result.',
        ],
      },
      {
        heading: 'Talking',
        text: ['Partners may talk, with quick messages or in their own words. Nobody else ever reads it.'],
      },
    ],
    differences: {
      heading: 'What is different from ordinary chess',
      aspect: 'Matter',
      chess: 'Ordinary chess',
      here: 'Tandem chess',
      rows: [
        ['Players', 'two', 'four, in two teams on two boards'],
        ['Captured pieces', 'are out of the game', 'go to the partner’s hand'],
        ['A turn', 'a move', 'a move or a drop'],
        ['Check from a distance, no answer', 'mate', 'waiting for a piece to block with'],
        ['No legal move, not in check', 'stalemate, a draw', 'waiting for a piece'],
        ['A captured promoted piece', 'is out of the game', 'comes back as a pawn'],
        ['Threefold repetition, fifty moves', 'a draw', 'of no account'],
        ['Flag or resignation', 'one player loses', 'the whole team loses'],
      ],
    },
    clubs: {
      heading: 'Where clubs differ',
      text: [
        'Our club form, to be chosen when a table is made: who is in check without a move or a drop from the hand at that moment is mated, also when another piece could have helped. A rook dropped on a corner of its own first rank may castle if the king has not moved. A move counts when the clock is pressed. The usual time is 7 minutes.',
        'Elsewhere people agree on more: some forbid drops that give mate, or any check by a drop; some keep pawns off the last rank but one; with some a captured promoted piece stays what it is, or both boards are played to the end. Agree before the first move.',
      ],
    },
    history: {
      heading: 'A little history',
      text: 'Nobody knows for certain who played it first. The game grew up in clubs, where it served for fun after the serious games, and it has as many names as places: bughouse in North America, Tandem in German-speaking countries. That a captured piece changes sides and comes back is a much older idea: shogi, the chess of Japan, has lived by it for centuries. In the 1990s the chess servers of the internet took Tandem chess up. Its sister for two players at one board is called crazyhouse.',
    },
  },
  fog: {
    title: 'Rules of Fog of war',
    lead: 'Chess for two in which you see only what your own pieces can reach. Nobody calls check, and whoever captures the king wins. It is also called dark chess.',
    sections: [
      {
        heading: 'What you see',
        text: [
          'You see your own pieces, every square to which one of them could move now, and an enemy piece on such a square. Nothing else. It is the same while your opponent is to move.',
          'A rook, bishop or queen sees along its lines as far as the first enemy piece, and nothing behind any piece.',
          'A pawn sees the empty square ahead, from its first square the next one too. What blocks its way it does not see. It sees a diagonal only when there is a piece to capture on it.',
        ],
        exercises: ['pawn_sight'],
      },
      {
        heading: 'En passant',
        text: ['When you could capture en passant, you see the square that your pawn would go to and the pawn that passed it: for this one turn.'],
        exercises: ['en_passant'],
      },
      {
        heading: 'What is hidden',
        text: ['Your opponent’s moves are hidden; the list only says that a move was made. When a piece of yours falls on a square that you do not see afterwards, this square is marked. What captured it, and from where, you are not told. What a pawn was promoted to you learn when you see the piece.'],
        exercises: ['fallen'],
      },
      {
        heading: 'No check, no mate',
        text: ['Nothing warns you. A king may go where it can be captured, and may castle out of, through and into attack. Whoever captures the enemy king has won.'],
        exercises: ['king'],
      },
      {
        heading: 'How a game ends',
        text: [
          'Capturing the king wins. Whoever runs out of time, resigns or leaves loses, whatever is left on the board.',
          'A draw comes by itself, since a claim would tell something: when the side to move has no legal move, when the same position has come three times, or after fifty moves each without a capture or a pawn move. Both players may also agree. Lack of material never makes a draw.',
          'A table has a clock or none. Without a clock whoever stays away for 10 minutes loses, and 7 days without a move end the game without a result. When it is over the fog lifts for all: you can look at the game as White saw it, as Black saw it, and as it was. Two people can share one device: after each move a curtain falls, and a clock runs only once the next side has lifted it.',
        ],
      },
    ],
    differences: {
      heading: 'What is different from ordinary chess',
      aspect: 'Matter',
      chess: 'Ordinary chess',
      here: 'Fog of war',
      rows: [
        ['Aim', 'mate', 'capturing the king'],
        ['You see', 'everything', 'what your pieces reach'],
        ['Check', 'must be answered', 'does not exist'],
        ['The king moves into attack', 'forbidden', 'allowed'],
        ['Castling through attack', 'forbidden', 'allowed'],
        ['The opponent’s moves', 'are seen', 'are hidden until the end'],
        ['Threefold repetition, fifty moves', 'a draw on a claim', 'a draw by itself'],
        ['Too little material', 'a draw', 'the game goes on'],
      ],
    },
    clubs: {
      heading: 'Where others differ',
      text: ['Elsewhere you may be told that your king is in check, or what was captured; a pawn may see what stands in its way; or only a player’s claim makes a draw. Here what is on this page holds, at every table.'],
    },
    history: {
      heading: 'A little history',
      text: 'The game was thought up in 1989 by Jens Bæk Nielsen and Torben Osted, who called it dark chess. An older relative is Kriegspiel, made in 1899 by Henry Michael Temple: there one sees nothing at all of the enemy’s pieces, and an umpire with a third board says what is possible. A computer is an umpire that never slips, and so such games are easy to play today.',
    },
  },
  exercises: {
    capture: { title: 'A capture for your partner', task: 'You are White. Capture the knight.', done: 'The black knight now waits in the hand of your partner, who plays Black on the other board.' },
    block: { title: 'A drop that blocks', task: 'You are White and in check. Your only pawn in hand may not be dropped on rank 1, so you wait. Let your partner help, then drop the knight.', done: 'The knight stands between rook and king. This was never mate.' },
    promoted: { title: 'A promoted piece comes back as a pawn', task: 'You are White. Promote the pawn and see what Black’s partner gets.', done: 'The rook has captured your new piece, and what has gone over is a pawn.' },
    mate: { title: 'A mate that nothing can block', task: 'You are White, with a queen and a knight in hand. Find the drop that mates at once.', done: 'Mate: nothing can be put in the way of a knight’s check, and the king has no square.' },
    pawn_sight: { title: 'What a pawn sees', task: 'You are White. Something stands in the way of your pawn, but you do not see it. Capture what you do see; before that you may lift the fog.', done: 'On d5 the pawn has a free way again, and it sees that it can capture on c6.' },
    en_passant: { title: 'The pawn that passed', task: 'You are White. A black pawn has just gone from d7 to d5. Capture it en passant; or make another move and see it vanish.', done: 'Captured. Had you moved otherwise, d5 and d6 would lie in the fog again.' },
    fallen: { title: 'The mark on a square', task: 'You are White. Put the knight on b5 and wait for the answer.', done: 'Your knight has fallen, and the mark shows where. What took it stays in the fog.' },
    king: { title: 'The king can be captured', task: 'You are White. Nobody says check. Look along the open file and win.', done: 'The king is captured: you have won.' },
  },
};
