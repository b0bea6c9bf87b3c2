// Written by scripts/write-look-alikes.ts from confusables.txt of Unicode 17.0.0, © Unicode, Inc., Unicode License v3.
/** How far each character is from the one before it, in base 36. */
const STEPS =
  "50 4 v 13 1f 2b 9 5 4 g 1 g 5 1 2 1 3 2h 6 1 u g g 2 6 1 5 s 4 5 11 2 1 1 1 4 1 1 2 2 2 1 5 7 4 1 1 n 2 2 3g 6 5 5 d 1 3 1 1 2 1 2 1 2 2 3 1 2 a 2 6 4 2 2 2 2 d a l 1 1 5 1 1 b 1 2 8 2 3 2 3 2 1 1 2 1 1 1 2 7 4 1 2 2 9 2 1 2 2 3 d 1 2 9 j 1 1l 1 c 2 3 f h x b f 1 1 1c 2 6 5 3 4 2 3 a 8 4 1 4 1 2 1 4 1j 3 i 3 1 6 2 i 1 p q w p 1 4 2 4 2 29 3 j 1 r 1 4 2 ek 2r 3 k 2x 4 3 3d 1 3 p 2r 3 q t 1y 2 3i s 2s s 2s s t 1 1y 7 l 5q 3k 8k p z q 3x o 75 5s t8 1 20 4r z y8 1d b 2 b 4 1 1 4 2l 9 7l 2q 5a 1 1 1 1p 1 i 1 1 1 3 2 1 1 1 1 1 2 j 1 1 1 1 1 2 1 7 2 1 a 5 4 3 5w f 5x 3 1 1 7 5 2 3 2 c 6 1a 1 1l t 2 l 1 12 38 1 6 3n 25 87 2 dx 1 5 1 3 1 1 1 w 1 1h 2 c 9e 1 5l 3 1 13 f 5o 2 mj 1 n 5e 1 74 4 d 1 u 31 1a 79 1 5lu 9 hdx 3 6i 15 g 4 a h 3 c 1 6 c 7 1 1 ou 3 8 a 1 6 4 8 fv0 1 1 1 1 1 1 1 b5 1 7t 1h 1 2j 1 1 1 70 lp 14pr 2h 49 7 2 3 1 3 k c 1 3 1 vd 4 1 3 1 1 2 1 2 1 2 2 3 1 2 4 2 6 4 2 2 2 2 a 2 1 3 1 1 2 1 2 1 2 2 3 1 2 4 2 6 4 2 2 2 2 a 2 1 3 1 1 2 1 2 1 2 2 3 1 2 4 2 6 4 2 2 2 2 a 2 1 3 1 1 2 1 2 1 2 2 3 1 2 4 2 6 4 2 2 2 2 a 2 1 3 1 1 2 1 2 1 2 2 3 1 2 4 2 6 4 2 2 2 2 a 2 4dy 10 1s s 4 1qg g c";
/** The ASCII characters that they look like, in the same order. */
const LOOKS =
  "',xpibgflR235spl!388?agyiiwuy?'''''<>^^''':-i~\"'\":'iJ'ABEZHlKMNOPTYXayivopouYFpcjpCMSlJABE3KMHOPCTYXba6reopcyxwsijwVvYyhell3dGqWwUSO''wqqhnnugifo:l:lv'lo'\",lo.loV,*oo-o.loV:o3?o89o98:o38Oo9ooooOosoo9ooocoocyoUO:+/o:\"coouvwzrgyfy'i'~''----l'','\"\"\"'\"''\"'<>/-/*~':ey-/\\*ollvU:~<>TvU<>Eipal\\/X()<>(){}+-/\\Txx\\/\\>x//()=\\/\"O()/=//\\\\/2is239&:'Ffu3JXBeforruuyoooooooo()-lloooolZ{.3V\\7FRL<>/\\iABEZHlKMNOPTYXayivopoupABEZHlKMNOPTYXayivopoupABEZHlKMNOPTYXayivopoupABEZHlKMNOPTYXayivopoupABEZHlKMNOPTYXayivopoupFlooloCsT";

/** The characters of scripts in common use that look like an ASCII character, 508 in all. */
export const LOOK_ALIKES: ReadonlyMap<string, string> = readTable();

function readTable(): Map<string, string> {
  const table = new Map<string, string>();
  let point = 0;
  for (const [index, step] of STEPS.split(" ").entries()) {
    point += Number.parseInt(step, 36);
    table.set(String.fromCodePoint(point), LOOKS[index] ?? "");
  }
  return table;
}
