// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/logs/stderr_words.h"

#include <QHash>
#include <QString>

namespace idemdesk::models {

StderrPart stderrPart(QStringView word)
{
    using P = StderrPart;
    static const QHash<QStringView, P> words {
        { u"ERROR", P::Error }, { u"FEHLER", P::Error }, { u"ERREUR", P::Error }, { u"ERRO", P::Error }, { u"ERRORE", P::Error },
        { u"ОШИБКА", P::Error }, { u"BŁĄD", P::Error }, { u"FEL", P::Error }, { u"HATA", P::Error }, { u"CHYBA", P::Error },
        { u"エラー", P::Error }, { u"오류", P::Error }, { u"错误", P::Error }, { u"ПОМИЛКА", P::Error },
        { u"DETAIL", P::Detail }, { u"DÉTAIL", P::Detail }, { u"DETALLE", P::Detail }, { u"DETALHE", P::Detail }, { u"DETTAGLI", P::Detail },
        { u"ПОДРОБНОСТИ", P::Detail }, { u"SZCZEGÓŁY", P::Detail }, { u"DETALJ", P::Detail }, { u"AYRINTI", P::Detail }, { u"詳細", P::Detail },
        { u"详细信息", P::Detail }, { u"상세정보", P::Detail }, { u"ДЕТАЛІ", P::Detail },
        { u"STATEMENT", P::Statement }, { u"ANWEISUNG", P::Statement }, { u"INSTRUCTION", P::Statement }, { u"SENTENCIA", P::Statement },
        { u"COMANDO", P::Statement }, { u"ISTRUZIONE", P::Statement }, { u"ОПЕРАТОР", P::Statement }, { u"WYRAŻENIE", P::Statement },
        { u"SATS", P::Statement }, { u"İFADE", P::Statement }, { u"文", P::Statement }, { u"语句", P::Statement }, { u"명령 구문", P::Statement },
        { u"ОПЕРАТОР SQL", P::Statement },
        { u"CONTEXT", P::Context }, { u"KONTEXT", P::Context }, { u"ZUSAMMENHANG", P::Context }, { u"CONTEXTE", P::Context },
        { u"CONTEXTO", P::Context }, { u"CONTESTO", P::Context }, { u"КОНТЕКСТ", P::Context }, { u"KONTEKST", P::Context }, { u"コンテキスト", P::Context },
        { u"HINT", P::Aside }, { u"QUERY", P::Aside }, { u"LOCATION", P::Aside }, { u"BACKTRACE", P::Aside }, { u"TIPP", P::Aside },
        { u"ASTUCE", P::Aside }, { u"SUGERENCIA", P::Aside }, { u"ПОДСКАЗКА", P::Aside }, { u"ANFRAGE", P::Aside }, { u"ORT", P::Aside },
        { u"REQUÊTE", P::Aside }, { u"EMPLACEMENT", P::Aside }, { u"CONSULTA", P::Aside }, { u"ЗАПРОС", P::Aside },
        { u"LOG", P::Other }, { u"FATAL", P::Other }, { u"PANIC", P::Other }, { u"WARNING", P::Other }, { u"NOTICE", P::Other },
        { u"INFO", P::Other }, { u"DEBUG", P::Other }, { u"DEBUG1", P::Other }, { u"DEBUG2", P::Other }, { u"DEBUG3", P::Other },
        { u"DEBUG4", P::Other }, { u"DEBUG5", P::Other }, { u"WARNUNG", P::Other }, { u"HINWEIS", P::Other }, { u"PANIK", P::Other },
        { u"ATTENTION", P::Other }, { u"AVERTISSEMENT", P::Other }, { u"ADVERTENCIA", P::Other }, { u"ВАЖНО", P::Other },
        { u"СООБЩЕНИЕ", P::Other }, { u"ПРЕДУПРЕЖДЕНИЕ", P::Other }, { u"ЗАМЕЧАНИЕ", P::Other },
    };
    return words.value(word, P::None);
}

} // namespace idemdesk::models
