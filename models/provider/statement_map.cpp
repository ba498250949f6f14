// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/provider/statement_map.h"

#include "models/format/display_text.h"
#include "models/provider/exact_amount.h"
#include "sql/types/tr.h"

#include <QDateTime>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

const QStringList &usualHappened()
{
    static const QStringList words { u"succeeded"_s, u"success"_s, u"paid"_s, u"captured"_s, u"settled"_s,
        u"confirmed"_s, u"completed"_s, u"complete"_s, u"booked"_s, u"ok"_s };
    return words;
}

const QStringList &usualFailed()
{
    static const QStringList words { u"failed"_s, u"declined"_s, u"refused"_s, u"rejected"_s, u"cancelled"_s,
        u"canceled"_s, u"expired"_s, u"voided"_s, u"error"_s };
    return words;
}

/// Of money that moves beside a request, whatever became of that.
const QStringList &usualBeside()
{
    static const QStringList words { u"fee"_s, u"fees"_s, u"commission"_s, u"interchange"_s, u"payout"_s,
        u"transfer"_s };
    return words;
}

QStringList wordsOf(const QString &text)
{
    QStringList words;
    for (const QString &word : text.split(u',', Qt::SkipEmptyParts)) {
        words += word.trimmed().toLower();
    }
    return words;
}

/// Sets one thing; false where the name is none.
bool setPart(StatementMap *map, const QString &name, const QString &value)
{
    const auto amount = [&](AmountForm form) {
        map->amount = value;
        map->form = form;
    };
    const auto time = [&](bool utc) {
        map->time = value;
        map->timeUtc = utc;
    };
    if (name == u"reference") {
        map->reference = value;
    } else if (name == u"amount") {
        amount(AmountForm::Point);
    } else if (name == u"amount_comma") {
        amount(AmountForm::Comma);
    } else if (name == u"amount_minor") {
        amount(AmountForm::Minor);
    } else if (name == u"currency") {
        map->currency = value;
    } else if (name == u"currency_code") {
        map->currencyCode = value.trimmed().toUpper();
    } else if (name == u"time") {
        time(false);
    } else if (name == u"time_utc") {
        time(true);
    } else if (name == u"state") {
        map->state = value;
    } else if (name == u"happened") {
        map->happened += wordsOf(value);
    } else if (name == u"failed") {
        map->failed += wordsOf(value);
    } else if (name == u"id") {
        map->id = value;
    } else if (name == u"outcome" && value == u"happened") {
        map->allHappened = true;
    } else {
        return false;
    }
    return true;
}

constexpr qint64 kDay = 86'400; // seconds

/// A moment as statements write it, and the last that it may mean: of a day its end.
struct Moment {
    sql::Timestamp at;
    sql::Timestamp until;
};

/// Of digits alone, which may as well be a calendar's: none beyond this century.
std::optional<Moment> countedMoment(qint64 seconds, qint64 micros)
{
    constexpr qint64 from = 946'684'800; // 2000-01-01
    constexpr qint64 to = 4'102'444'800; // 2100-01-01
    const auto time = [](qint64 at) { return sql::Timestamp { sql::Timestamp::Kind::Finite, at }; };
    return seconds >= from && seconds < to ? std::optional(Moment { time(micros), time(micros + sql::kMicros - 1) })
                                           : std::nullopt;
}

Moment momentAt(qint64 micros, qint64 wide)
{
    const auto time = [](qint64 at) { return sql::Timestamp { sql::Timestamp::Kind::Finite, at }; };
    return { time(micros), time(micros + wide) };
}

/// Nothing where it is no moment, or might be one of several.
std::optional<Moment> momentIn(const QString &written, bool utc)
{
    static const QRegularExpression epoch(u"^[0-9]{9,11}$"_s);
    static const QRegularExpression milliseconds(u"^[0-9]{12,14}$"_s);
    static const QRegularExpression form(u"^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ]([0-9]{2}:[0-9]{2})(:[0-9]{2}"
                                         "(?:\\.[0-9]{1,9})?)?)?\\s*(Z|z|UTC|[+-][0-9]{2}(?::?[0-9]{2})?)?$"_s);
    const QString text = written.trimmed();
    if (epoch.match(text).hasMatch()) {
        return countedMoment(text.toLongLong(), text.toLongLong() * sql::kMicros);
    }
    if (milliseconds.match(text).hasMatch()) {
        return countedMoment(text.toLongLong() / 1'000, text.toLongLong() * 1'000);
    }
    const auto match = form.match(text);
    QString zone = match.captured(4);
    if (!match.hasMatch() || (zone.isEmpty() && !utc)) {
        return std::nullopt;
    }
    if (zone.isEmpty() || zone.at(0).isLetter()) {
        zone = u"+00"_s;
    } else if (zone.size() == 5) { // +0100
        zone.insert(3, u':');
    }
    const QString clock = match.captured(2).isEmpty() ? u"00:00"_s : match.captured(2);
    const QString end = match.captured(3).isEmpty() ? u":00"_s : match.captured(3);
    const auto at = sql::Timestamp::parse(match.captured(1) + u' ' + clock + end.left(10) + zone);
    const qint64 seconds = match.captured(2).isEmpty() ? kDay : match.captured(3).isEmpty() ? 60 : 1;
    return at && at->finite() ? std::optional(momentAt(at->micros, seconds * sql::kMicros - 1)) : std::nullopt;
}

QString bare(const QString &name)
{
    QString letters;
    for (const QChar c : name.toLower()) {
        letters += c.isLetterOrNumber() ? QString(c) : QString();
    }
    return letters;
}

QString firstLike(const QStringList &columns, const QStringList &names)
{
    for (const QString &name : names) {
        for (const QString &column : columns) {
            if (bare(column) == name) {
                return column;
            }
        }
    }
    return {};
}

std::optional<QString> amountOf(const StatementMap &map, const QString &text, const QString &currency)
{
    switch (map.form) {
    case AmountForm::Point:
        return exactAmount(text);
    case AmountForm::Comma:
        return exactAmountWithComma(text);
    case AmountForm::Minor:
        break;
    }
    return exactAmountOfMinor(text, currency);
}

QString amountFault(const StatementMap &map, const QString &currency)
{
    if (map.form == AmountForm::Minor) {
        return currencyDecimals(currency) ? Tr::tr("the amount is no whole number")
                                          : Tr::tr("no currency says how many decimals the smallest unit has");
    }
    return map.form == AmountForm::Comma ? Tr::tr("the amount is no number with a decimal comma")
                                         : Tr::tr("the amount is no plain decimal number");
}

} // namespace

QStringList StatementMap::columns() const
{
    QStringList all { reference, amount, currency, time, state, id };
    all.removeAll(QString());
    return all;
}

QStringList StatementMap::toTexts() const
{
    QStringList texts;
    const auto add = [&texts](const QString &name, const QString &value) {
        if (!value.isEmpty()) {
            texts += name + u'=' + value;
        }
    };
    add(u"reference"_s, reference);
    add(form == AmountForm::Minor       ? u"amount_minor"_s
            : form == AmountForm::Comma ? u"amount_comma"_s
                                        : u"amount"_s,
        amount);
    add(u"currency"_s, currency);
    add(u"currency_code"_s, currencyCode);
    add(timeUtc ? u"time_utc"_s : u"time"_s, time);
    add(u"state"_s, state);
    add(u"happened"_s, happened.join(u','));
    add(u"failed"_s, failed.join(u','));
    add(u"id"_s, id);
    add(u"outcome"_s, allHappened ? u"happened"_s : QString());
    return texts;
}

QString StatementMap::inWords() const
{
    QStringList parts;
    const auto add = [&parts](const QString &what, const QString &column) {
        if (!column.isEmpty()) {
            parts += Tr::tr("%1 from “%2”").arg(what, displayText(column));
        }
    };
    add(Tr::tr("reference"), reference);
    add(form == AmountForm::Minor       ? Tr::tr("amount (smallest units)")
            : form == AmountForm::Comma ? Tr::tr("amount (decimal comma)")
                                        : Tr::tr("amount"),
        amount);
    add(Tr::tr("currency"), currency);
    if (!currencyCode.isEmpty()) {
        parts += Tr::tr("currency always %1").arg(currencyCode);
    }
    add(timeUtc ? Tr::tr("time (UTC)") : Tr::tr("time"), time);
    add(Tr::tr("state"), state);
    if (allHappened) {
        parts += Tr::tr("each line is taken to have happened");
    }
    add(Tr::tr("number of the booking"), id);
    return parts.join(u", "_s);
}

sql::Result<StatementMap> statementMapFrom(const QStringList &texts)
{
    StatementMap map;
    for (const QString &text : texts) {
        const QString name = text.section(u'=', 0, 0);
        const QString value = text.section(u'=', 1);
        if (value.trimmed().isEmpty() || !setPart(&map, name, value)) {
            return sql::makeError(sql::ErrorKind::Usage,
                Tr::tr("“%1” does not say where a statement has something.").arg(text), {},
                Tr::tr("Write NAME=COLUMN, such as reference=Merchant reference. Names are reference, amount, "
                       "amount_comma, amount_minor, currency, currency_code, time, time_utc, state, happened, failed "
                       "and id. Without a state write outcome=happened, if each line is something that happened."));
        }
    }
    if (!map.currencyCode.isEmpty() && !currencyDecimals(map.currencyCode)) {
        return sql::makeError(sql::ErrorKind::Usage, Tr::tr("“%1” is no currency's code.").arg(map.currencyCode), {},
            Tr::tr("Write three letters, such as currency_code=EUR."));
    }
    if (map.state.isEmpty() && !(map.happened.isEmpty() && map.failed.isEmpty())) {
        return sql::makeError(sql::ErrorKind::Usage, Tr::tr("“happened” and “failed” are values of a state."), {},
            Tr::tr("Name its column, too: state=COLUMN."));
    }
    if (map.allHappened && !map.state.isEmpty()) {
        return sql::makeError(sql::ErrorKind::Usage,
            Tr::tr("A state says what became of each line, and so does outcome=happened."), {},
            Tr::tr("Name one of them."));
    }
    return map;
}

QString stateAmong(const QStringList &columns)
{
    return firstLike(columns, { u"state"_s, u"status"_s, u"outcome"_s, u"result"_s });
}

StatementMap guessedStatementMap(const QStringList &columns)
{
    StatementMap map;
    map.reference = firstLike(columns,
        { u"reference"_s, u"merchantreference"_s, u"clientreference"_s, u"paymentreference"_s, u"idempotencykey"_s,
            u"externalid"_s, u"ref"_s });
    map.amount = firstLike(columns, { u"amount"_s, u"grossamount"_s, u"gross"_s });
    if (map.amount.isEmpty()) {
        map.amount = firstLike(columns, { u"cents"_s, u"amountcents"_s, u"amountincents"_s, u"amountminor"_s });
        map.form = map.amount.isEmpty() ? AmountForm::Point : AmountForm::Minor;
    }
    map.currency = firstLike(columns, { u"currency"_s, u"currencycode"_s });
    map.time
        = firstLike(columns, { u"time"_s, u"timestamp"_s, u"createdat"_s, u"created"_s, u"bookedat"_s, u"date"_s });
    map.state = stateAmong(columns);
    return map;
}

MappedLine mappedLine(const StatementMap &map, const QMap<QString, QString> &values)
{
    MappedLine mapped;
    sql::StatementLine &line = mapped.line;
    line.reference = values.value(map.reference).trimmed();
    line.id = values.value(map.id).trimmed();
    line.currency = (map.currencyCode.isEmpty() ? values.value(map.currency).trimmed() : map.currencyCode).toUpper();
    line.outcome = map.allHappened ? sql::LineOutcome::Happened : sql::LineOutcome::Unclear;
    if (!map.state.isEmpty()) {
        const QString state = values.value(map.state).trimmed().toLower();
        mapped.state = state;
        const bool happened = (map.happened.isEmpty() ? usualHappened() : map.happened).contains(state);
        const bool failed = (map.failed.isEmpty() ? usualFailed() : map.failed).contains(state);
        line.outcome = happened             ? sql::LineOutcome::Happened
            : failed                        ? sql::LineOutcome::Failed
            : usualBeside().contains(state) ? sql::LineOutcome::Other
                                            : sql::LineOutcome::Unclear;
    }
    const bool counts = line.outcome == sql::LineOutcome::Happened || line.outcome == sql::LineOutcome::Failed;
    if (line.reference.isEmpty() && counts) {
        mapped.fault = Tr::tr("it has no reference");
        return mapped;
    }
    if (line.reference.size() > sql::kMostProviderReference) {
        mapped.fault = Tr::tr("its reference has more than 1,000 characters");
        return mapped;
    }
    if (const QString time = values.value(map.time).trimmed(); !time.isEmpty()) {
        const auto moment = momentIn(time, map.timeUtc);
        if (!moment) {
            mapped.fault = map.timeUtc
                ? Tr::tr("the time is not understood")
                : Tr::tr("the time is not understood, or has no zone (time_utc takes it for UTC)");
            return mapped;
        }
        if (moment->at.micros > (QDateTime::currentSecsSinceEpoch() + kDay) * sql::kMicros) {
            mapped.fault = Tr::tr("its time is still to come");
            return mapped;
        }
        line.at = moment->at;
        line.until = moment->until;
    }
    if (const QString amount = values.value(map.amount).trimmed(); !amount.isEmpty() && counts) {
        const auto exact = amountOf(map, amount, line.currency);
        if (!exact) {
            mapped.fault = amountFault(map, line.currency);
            return mapped;
        }
        line.amount = *exact;
    }
    return mapped;
}

} // namespace idemdesk::models
