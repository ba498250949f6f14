// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/fitted_text.h"

#include <QAbstractTextDocumentLayout>
#include <QDialog>
#include <QEvent>
#include <QLayout>
#include <QPlainTextEdit>
#include <QTextBlock>
#include <QTextLayout>
#include <algorithm>

namespace idemdesk::ui {

namespace {

/// Fits anew when the text changes, and when its width does: then it wraps otherwise, which no signal tells.
class LineFitter final : public QObject
{
public:
    LineFitter(QPlainTextEdit *text, int most)
        : QObject(text)
        , m_text(text)
        , m_most(most)
    {
        text->installEventFilter(this);
        connect(text, &QPlainTextEdit::textChanged, this, &LineFitter::fit);
        fit();
    }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Resize || event->type() == QEvent::Show) {
            // Once the text has that width; the height that follows changes none of its lines.
            QMetaObject::invokeMethod(this, &LineFitter::fit, Qt::QueuedConnection);
        }
        return QObject::eventFilter(watched, event);
    }

private:
    void fit()
    {
        int lines = 0;
        for (QTextBlock block = m_text->document()->begin(); block.isValid() && lines < m_most; block = block.next()) {
            m_text->document()->documentLayout()->blockBoundingRect(block); // lays it out
            lines += std::max(1, block.layout()->lineCount());
        }
        const int around = 2 * int(m_text->document()->documentMargin()) + 2 * m_text->frameWidth();
        m_text->setFixedHeight(std::clamp(lines, 1, m_most) * m_text->fontMetrics().lineSpacing() + around + 2);
        growDialog();
    }
    /// A dialog that is shown keeps its size though its layout asks for more: what stands below would be painted over.
    void growDialog()
    {
        auto *dialog = qobject_cast<QDialog *>(m_text->window());
        if (dialog == nullptr || dialog->layout() == nullptr || !dialog->isVisible()) {
            return;
        }
        dialog->layout()->activate();
        const int needed = dialog->layout()->hasHeightForWidth()
            ? dialog->layout()->totalHeightForWidth(dialog->width())
            : dialog->layout()->totalSizeHint().height();
        if (dialog->height() < needed) {
            dialog->resize(dialog->width(), needed);
        }
    }

    QPlainTextEdit *m_text;
    const int m_most;
};

} // namespace

void fitToLines(QPlainTextEdit *text, int most)
{
    new LineFitter(text, most);
}

} // namespace idemdesk::ui
