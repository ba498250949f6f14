// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/provider/statement_words.h"

#include "models/format/csv_cell.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/keys/key_cells.h"
#include "models/provider/exact_amount.h"
#include "sql/actions/action_json.h"
#include "sql/types/tr.h"

#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

QJsonValue saidOrNull(const QString &text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

QString timeOrNothing(const std::optional<sql::Timestamp> &time)
{
    return time ? time->toRfc3339() : QString();
}

QString flagOrNothing(const std::optional<bool> &flag)
{
    return !flag ? QString() : *flag ? u"true"_s : u"false"_s;
}

QJsonValue hereJson(const std::optional<sql::HereRow> &here)
{
    if (!here) {
        return {};
    }
    QJsonArray identity;
    for (const sql::Cell &cell : sql::cellsFromJson(here->identity)) {
        identity.append(cell.null ? QJsonValue() : QJsonValue(cell.text));
    }
    return QJsonObject { { u"key"_s, saidOrNull(here->key) }, { u"scope"_s, here->scope }, { u"identity"_s, identity },
        { u"state"_s, sql::stateName(here->state) },
        { u"stale"_s, here->stale ? QJsonValue(*here->stale) : QJsonValue() },
        { u"provider_state"_s, sql::providerStateName(here->provider) }, { u"amount"_s, saidOrNull(here->amount) },
        { u"currency"_s, saidOrNull(here->currency) } };
}

QString quotedWords(const QStringList &words)
{
    QStringList quoted;
    for (const QString &word : words) {
        quoted += u'“' + displayText(word) + u'”';
    }
    return quoted.join(u", "_s);
}

int countForWords(qint64 count)
{
    return int(std::min<qint64>(count, INT_MAX));
}

} // namespace

QStringList statementNotes(const StatementFacts &facts, const StatementComparison &answer)
{
    QStringList notes;
    if (!facts.map.empty()) {
        notes += Tr::tr("Read: %1.").arg(facts.map.inWords());
    }
    if (const QString state = stateAmong(facts.columns); facts.map.allHappened && !state.isEmpty()) {
        notes += Tr::tr("The column “%1” is not read: each line is taken to have happened.").arg(displayText(state));
    }
    for (const RefusedLine &line : facts.refusedKept) {
        notes += Tr::tr("Line %1 is not compared: %2.").arg(QString::number(line.line), line.why);
    }
    if (facts.repeated > 0) {
        notes += Tr::tr(
            "%Ln line(s) repeat a booking that stands in another line.", nullptr, countForWords(facts.repeated));
    }
    if (facts.aside > 0) {
        const int lines = countForWords(facts.aside);
        const QString words = quotedWords(facts.asideWords);
        notes += (facts.asideWords.size() == 1
                ? Tr::tr("%Ln line(s) ignored: state %1 is neither success nor failure.", nullptr, lines)
                : Tr::tr("%Ln line(s) ignored: states %1 are neither success nor failure.", nullptr, lines))
                     .arg(words);
    }
    return notes + answer.notes;
}

QString lineNumbers(const StatementFinding &finding)
{
    QStringList numbers;
    for (const qint64 line : finding.lines) {
        numbers += QString::number(line);
    }
    return numbers.isEmpty() ? u"–"_s : numbers.join(u", "_s);
}

QString hereStateText(const sql::HereRow &here)
{
    const QString text = stateLabel(here.state);
    return here.stale.value_or(false) ? stuckText(text, here.state) : text;
}

QString moneyText(const QString &amount, const QString &currency)
{
    QString text = exactAmount(amount).value_or(amount);
    const auto decimals = text.isEmpty() ? std::nullopt : currencyDecimals(currency);
    if (decimals && *decimals > 0 && exactAmount(text)) {
        const qsizetype point = text.indexOf(u'.');
        const qsizetype there = point < 0 ? 0 : text.size() - point - 1;
        text += (point < 0 ? u"."_s : QString()) + QString(std::max<qsizetype>(0, *decimals - there), u'0');
    }
    return currency.isEmpty() || text.isEmpty() ? text : text + u' ' + currency.toUpper();
}

QJsonObject findingJson(const StatementFinding &finding)
{
    QJsonArray lines;
    for (const qint64 line : finding.lines) {
        lines.append(line);
    }
    return { { u"finding"_s, findingKindName(finding.kind) }, { u"reference"_s, finding.reference },
        { u"lines"_s, lines }, { u"text"_s, saidOrNull(finding.text) },
        { u"amount"_s, saidOrNull(finding.statementAmount) }, { u"currency"_s, saidOrNull(finding.statementCurrency) },
        { u"here"_s, hereJson(finding.here) }, { u"asked_at"_s, saidOrNull(timeOrNothing(finding.askedAt)) },
        { u"detail"_s, finding.detail } };
}

QByteArray findingHeader()
{
    return "finding,reference,lines,statement_amount,statement_currency,key,scope,state,provider_state,amount,currency,"
           "asked_at,detail,text,stale\r\n";
}

QByteArray findingLine(const StatementFinding &finding)
{
    const auto &here = finding.here;
    const QStringList cells { findingKindName(finding.kind), finding.reference,
        finding.lines.isEmpty() ? QString() : lineNumbers(finding), finding.statementAmount, finding.statementCurrency,
        here ? here->key : QString(), here ? here->scope : QString(), here ? sql::stateName(here->state) : QString(),
        here ? sql::providerStateName(here->provider) : QString(), here ? here->amount : QString(),
        here ? here->currency : QString(), timeOrNothing(finding.askedAt), finding.detail, finding.text,
        here ? flagOrNothing(here->stale) : QString() };
    QByteArrayList line;
    for (const QString &cell : cells) {
        line += csvCell(cell);
    }
    return line.join(',') + "\r\n";
}

} // namespace idemdesk::models
