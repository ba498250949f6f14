// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/utc_edit.h"

#include <QDateTimeEdit>
#include <QKeyEvent>
#include <QTimeZone>

namespace idemdesk::ui {

namespace {

/// Takes the separators that stand before a part in which nothing was typed yet.
class SeparatorFilter final : public QObject
{
public:
    explicit SeparatorFilter(QDateTimeEdit *edit)
        : QObject(edit)
        , m_edit(edit)
    {
        edit->installEventFilter(this);
    }

    bool eventFilter(QObject *, QEvent *event) override
    {
        if (event->type() != QEvent::KeyPress) {
            return false;
        }
        const QString text = static_cast<QKeyEvent *>(event)->text();
        const bool separates = text.size() == 1 && QStringLiteral("-:/. T").contains(text);
        if (!separates) {
            m_typed = !text.isEmpty() && text.at(0).isDigit() ? m_edit->currentSectionIndex() : -1;
            return false;
        }
        const bool wentOn = m_typed >= 0 && m_edit->currentSectionIndex() > m_typed;
        m_typed = -1;
        return wentOn;
    }

private:
    QDateTimeEdit *m_edit;
    int m_typed = -1; ///< the part that the last digit went to; -1: none did
};

} // namespace

void showInUtc(QDateTimeEdit *edit)
{
    // Qt 6.7 took the call with a time spec back.
#if QT_VERSION >= QT_VERSION_CHECK(6, 7, 0)
    edit->setTimeZone(QTimeZone::UTC);
#else
    edit->setTimeSpec(Qt::UTC);
#endif
    new SeparatorFilter(edit);
}

} // namespace idemdesk::ui
