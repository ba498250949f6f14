// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/driver/pg_parameters.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QUuid>
#include <cmath>
#include <optional>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int maximumParameters = 65535; // a 16-bit count in the protocol

bool meansNull(const QVariant &value)
{
    switch (value.typeId()) {
    case QMetaType::QString:
        return value.toString().isNull();
    case QMetaType::QByteArray:
        return value.toByteArray().isNull();
    case QMetaType::QDateTime:
        return value.toDateTime().isNull();
    case QMetaType::QDate:
        return value.toDate().isNull();
    case QMetaType::QTime:
        return value.toTime().isNull();
    case QMetaType::QUuid:
        return value.toUuid().isNull();
    default:
        return value.isNull();
    }
}

QString numberText(double value)
{
    if (std::isnan(value)) {
        return u"NaN"_s;
    }
    if (std::isinf(value)) {
        return value > 0 ? u"Infinity"_s : u"-Infinity"_s;
    }
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

std::optional<QString> textOf(const QVariant &value)
{
    switch (value.typeId()) {
    case QMetaType::Bool:
        return value.toBool() ? u"t"_s : u"f"_s;
    case QMetaType::QByteArray:
        return u"\\x"_s + QString::fromLatin1(value.toByteArray().toHex());
    case QMetaType::Double:
    case QMetaType::Float:
        return numberText(value.toDouble());
    case QMetaType::QDateTime:
        return value.toDateTime().isValid() ? std::optional(value.toDateTime().toUTC().toString(Qt::ISODateWithMs))
                                            : std::nullopt;
    case QMetaType::QDate:
        return value.toDate().toString(Qt::ISODate);
    case QMetaType::QTime:
        return value.toTime().toString(Qt::ISODateWithMs);
    case QMetaType::QUuid:
        return value.toUuid().toString(QUuid::WithoutBraces);
    default:
        return value.canConvert<QString>() ? std::optional(value.toString()) : std::nullopt;
    }
}

} // namespace

bool PgParameters::read(const QList<QVariant> &values, QString *reason)
{
    m_texts.clear();
    m_pointers.clear();
    if (values.size() > maximumParameters) {
        *reason = QCoreApplication::translate("PgDriver", "A statement takes at most %1 values; this one has %2.")
                      .arg(maximumParameters)
                      .arg(values.size());
        return false;
    }
    m_texts.reserve(size_t(values.size()));
    m_pointers.reserve(size_t(values.size()));
    for (qsizetype i = 0; i < values.size(); ++i) {
        if (meansNull(values.at(i))) {
            m_texts.emplace_back();
            m_pointers.push_back(nullptr);
            continue;
        }
        const std::optional<QString> text = textOf(values.at(i));
        if (!text) {
            *reason
                = QCoreApplication::translate("PgDriver", "Value $%1 has the type %2, which has no PostgreSQL text.")
                      .arg(i + 1)
                      .arg(QString::fromLatin1(values.at(i).typeName()));
            return false;
        }
        if (text->contains(QChar(0))) {
            *reason = QCoreApplication::translate(
                "PgDriver", "Value $%1 contains a NUL character, which PostgreSQL cannot store. Nothing was sent.")
                          .arg(i + 1);
            return false;
        }
        if (!text->isValidUtf16()) {
            *reason = QCoreApplication::translate(
                "PgDriver", "Value $%1 contains half of a surrogate pair, which is no character. Nothing was sent.")
                          .arg(i + 1);
            return false;
        }
        m_texts.push_back(text->toUtf8());
        m_pointers.push_back(m_texts.back().constData()); // implicit sharing: the bytes stay where they are
    }
    return true;
}

bool encodeStatement(const QString &sql, QByteArray *bytes, QString *reason)
{
    if (sql.contains(QChar(0))) {
        *reason = QCoreApplication::translate("PgDriver", "The statement contains a NUL character. Nothing was sent.");
        return false;
    }
    if (!sql.isValidUtf16()) {
        *reason = QCoreApplication::translate(
            "PgDriver", "The statement contains half of a surrogate pair, which is no character. Nothing was sent.");
        return false;
    }
    *bytes = sql.toUtf8();
    return true;
}

} // namespace idemdesk::sql
