// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/logs/stderr_words.h"

#include <QHash>
#include <QString>
#include <utility>

namespace idemdesk::models {

namespace {

/// What the server writes before a line, in the languages that it speaks.
constexpr std::pair<StderrPart, const char16_t *> kStderrWords[] = {
    { StderrPart::Error, u"ERROR|FEHLER|ERREUR|ERRO|ERRORE|ОШИБКА|BŁĄD|FEL|HATA|CHYBA|エラー|오류|错误|ПОМИЛКА" },
    { StderrPart::Detail,
        u"DETAIL|DÉTAIL|DETALLE|DETALHE|DETTAGLI|ПОДРОБНОСТИ|SZCZEGÓŁY|DETALJ|AYRINTI|詳細|"
        u"详细信息|상세정보|ДЕТАЛІ" },
    { StderrPart::Statement,
        u"STATEMENT|ANWEISUNG|INSTRUCTION|SENTENCIA|COMANDO|ISTRUZIONE|ОПЕРАТОР|WYRAŻENIE|"
        u"SATS|İFADE|文|语句|명령 구문|ОПЕРАТОР SQL" },
    { StderrPart::Context, u"CONTEXT|KONTEXT|ZUSAMMENHANG|CONTEXTE|CONTEXTO|CONTESTO|КОНТЕКСТ|KONTEKST|コンテキスト" },
    { StderrPart::Aside,
        u"HINT|QUERY|LOCATION|BACKTRACE|TIPP|ASTUCE|SUGERENCIA|ПОДСКАЗКА|ANFRAGE|ORT|"
        u"REQUÊTE|EMPLACEMENT|CONSULTA|ЗАПРОС" },
    { StderrPart::Other,
        u"LOG|FATAL|PANIC|WARNING|NOTICE|INFO|DEBUG|DEBUG1|DEBUG2|DEBUG3|DEBUG4|DEBUG5|"
        u"WARNUNG|HINWEIS|PANIK|ATTENTION|AVERTISSEMENT|ADVERTENCIA|ВАЖНО|СООБЩЕНИЕ|"
        u"ПРЕДУПРЕЖДЕНИЕ|ЗАМЕЧАНИЕ" },
};

} // namespace

StderrPart stderrPart(QStringView word)
{
    static const QHash<QStringView, StderrPart> parts = [] {
        QHash<QStringView, StderrPart> made;
        for (const auto &[part, words] : kStderrWords) {
            for (const QStringView one : QStringView(words).split(u'|')) {
                made.insert(one, part);
            }
        }
        return made;
    }();
    return parts.value(word, StderrPart::None);
}

} // namespace idemdesk::models
